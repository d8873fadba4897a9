"""A certificate as a page to print: one HTML file that needs no other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from html import escape
from typing import Final

from studio.proof.certificate.record import Certificate, CertifiedFigure

_BASIS: Final = {
    "stake": "of each unit staked on it",
    "initial": "of each unit of the first bet",
    "total": "of each unit put out, decisions included",
}

_PRIZE: Final = ("Comes back", "Deals", "Share, %")

_STYLE: Final = """
@page { size: A4; margin: 16mm 15mm; }
html { font: 10.5pt/1.4 "Liberation Serif", "Times New Roman", Georgia, serif; color: #111; background: #fff; }
body { max-width: 180mm; margin: 8mm auto; padding: 0 4mm; }
h1 { font-size: 20pt; margin: 0; }
h2 { font-size: 13pt; margin: 7mm 0 2mm; border-bottom: 0.4mm solid #111; break-after: avoid; }
.under { margin: 1mm 0 5mm; font-size: 12pt; }
table { border-collapse: collapse; width: 100%; margin-bottom: 2mm; }
th, td { text-align: left; vertical-align: top; padding: 1mm 2mm 1mm 0; border-bottom: 0.15mm solid #999; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th { font-weight: bold; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; padding: 1mm 0 1mm 3mm; }
.exact, .digest { font: 8pt/1.4 "Liberation Mono", "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
.facts th { width: 42mm; font-weight: normal; color: #444; }
.figure { break-inside: avoid; margin: 4mm 0; }
.figure h3 { font-size: 10.5pt; margin: 0 0 1mm; break-after: avoid; }
.figure p { margin: 0 0 1mm; }
.figure table { width: auto; min-width: 60mm; }
.warning { border: 0.6mm solid #111; padding: 2mm 3mm; font-weight: bold; }
li, p { margin: 0 0 1.5mm; }
footer { margin-top: 8mm; border-top: 0.4mm solid #111; padding-top: 2mm; font-size: 9pt; }
.sign { display: flex; gap: 10mm; margin-top: 14mm; break-inside: avoid; }
.sign span { flex: 1; border-top: 0.2mm solid #111; padding-top: 1mm; }
"""


def certificate_page(certificate: Certificate) -> str:
    """The whole page. It holds what the certificate holds, and nothing else."""
    title = f"{certificate.title}: certificate of theoretical return"
    return "\n".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>",
            *_head(certificate),
            *_figures(certificate),
            *_pay_table(certificate),
            *_method(certificate),
            *_counts(certificate),
            *_code(certificate),
            *_foot(certificate),
            "</body>\n</html>\n",
        )
    )


def _head(certificate: Certificate) -> Iterator[str]:
    yield f'<h1>{escape(certificate.title)}</h1>\n<p class="under">Certificate of theoretical return to player</p>'
    if certificate.over:
        bets = escape(", ".join(certificate.over))
        yield f'<p class="warning">More than 100 % of the stake comes back on: {bets}.</p>'
    yield '<table class="facts"><tbody>'
    for name, value, kind in (
        ("Game", f"{certificate.title} ({certificate.game}), rulebook version {certificate.version}", ""),
        ("Proved on", f"{certificate.date}, in {certificate.seconds:.1f} s of computing", ""),
        ("Digest of the pay table", certificate.table_digest, "digest"),
        ("Digest of the code", certificate.code_digest, "digest"),
        ("Digest of this certificate", certificate.digest, "digest"),
    ):
        yield f'<tr><th>{name}</th><td class="{kind}">{escape(value)}</td></tr>'
    yield "</tbody></table>"


def _figures(certificate: Certificate) -> Iterator[str]:
    heads = ("Bet", "Basis", "Return, %", "Published, %", "Difference")
    yield f"<h2>What comes back</h2>\n<table><thead>{_row(heads, 'th')}</thead><tbody>"
    for bets, figure in _grouped(certificate.figures):
        published = "–" if figure.published_percent is None else f"{figure.published_percent:.2f}"
        difference = "–" if figure.difference is None else f"{figure.difference:+.6f}"
        if figure.pot_percent is not None:
            yield _row((bets, "of each unit staked on it, by the fixed prizes", f"{figure.percent:.6f}", "–", "–"))
            yield _row(
                (bets, "stated by the rules to go to the pot, not proved", f"{figure.pot_percent:.6f}", "–", "–")
            )
            yield _row((bets, "both together", f"{figure.whole_percent:.6f}", published, difference))
        else:
            yield _row((bets, _BASIS[figure.basis], f"{figure.percent:.6f}", published, difference))
    yield "</tbody></table>"
    yield from (
        f"<p>Of each unit of the first bet {figure.put_out:.6f} units are put out in the end, on average.</p>"
        for figure in certificate.figures
        if figure.basis == "total"
    )


def _pay_table(certificate: Certificate) -> Iterator[str]:
    heads = ("Bet", "When", "A stake of 1 comes back as")
    yield f"<h2>Pay table</h2>\n<table><thead>{_row(heads, 'th')}</thead><tbody>"
    for line in certificate.pay_table:
        yield _row((line.bet.replace("{n}", "n"), line.when, line.returns))
    yield "</tbody></table>\n<p>Where no line fits, the stake is lost; n is the number of a box.</p>"
    yield "<p>The house options this table comes from:</p>"
    yield '<table class="facts"><tbody>'
    for name, value in certificate.rules.items():
        yield f'<tr><th>{escape(name)}</th><td class="exact">{escape(str(value))}</td></tr>'
    yield "</tbody></table>"


def _method(certificate: Certificate) -> Iterator[str]:
    yield "<h2>Method</h2>"
    yield from (f"<p>{escape(sentence)}</p>" for sentence in certificate.method)


def _counts(certificate: Certificate) -> Iterator[str]:
    yield "<h2>Exact figures and counts</h2>"
    for bets, figure in _grouped(certificate.figures):
        deals = "weighed by how likely they are" if figure.deals is None else f"standing for {figure.deals:,} deals"
        yield f'<div class="figure"><h3>{escape(bets)} · {_BASIS[figure.basis]}</h3>'
        yield f'<p class="exact">{figure.fraction}</p><p>{figure.classes:,} classes, {deals}.</p>'
        if figure.prizes and figure.deals:
            yield f"<table><thead>{_row(_PRIZE, 'th', numbers_from=1)}</thead><tbody>"
            for prize in figure.prizes:
                share = float(Fraction(prize.deals, figure.deals) * 100)
                yield _row((prize.returns, f"{prize.deals:,}", f"{share:.6f}"), numbers_from=1)
            yield "</tbody></table>"
        if figure.pot_deals and figure.deals:
            once_in = figure.deals // figure.pot_deals
            yield f"<p>The pot is won in {figure.pot_deals:,} of these deals: once in {once_in:,}.</p>"
        yield "</div>"


def _code(certificate: Certificate) -> Iterator[str]:
    yield "<h2>The code these figures depend on</h2>"
    yield "<p>SHA-256 of each file; the digest of the code is that of this list as sha256sum prints it.</p>"
    yield '<table class="digest"><tbody>'
    yield from (_row((name, digest), numbers_from=9) for name, digest in certificate.code.items())
    yield "</tbody></table>"


def _foot(certificate: Certificate) -> Iterator[str]:
    command = f"studio rtp {certificate.game} --rules {certificate.name}.json --save FOLDER"
    yield f"<footer><p>Anybody can prove this again: <code>{escape(command)}</code> finds the same certificate, "
    yield "byte for byte but for the day and the seconds.</p></footer>"
    yield '<div class="sign"><span>Date</span><span>Name</span><span>Signature</span></div>'


def _grouped(figures: Sequence[CertifiedFigure]) -> list[tuple[str, CertifiedFigure]]:
    """Bets that are alike in all that is said of them, told together."""
    groups: dict[tuple[object, ...], list[CertifiedFigure]] = {}
    for figure in figures:
        alike = figure.basis, figure.fraction, figure.published_percent, figure.prizes
        groups.setdefault(alike, []).append(figure)
    return [(", ".join(one.bet for one in group), group[0]) for group in groups.values()]


def _row(cells: Iterable[str], tag: str = "td", numbers_from: int = 2) -> str:
    """Columns from `numbers_from` on hold numbers."""
    marked = (
        f"<{tag}{' class=number' if at >= numbers_from else ''}>{escape(cell)}</{tag}>" for at, cell in enumerate(cells)
    )
    return f"<tr>{''.join(marked)}</tr>"
