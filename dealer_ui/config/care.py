"""What is looked after, as the configuration says it: checkpoints, pictures, the key file."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from dealer_ui.config.secret import no_password
from studio.errors import BadInputError
from studio.journal.keys.wrapping import WrappedBy


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class KeepSection(_Model):
    """For how many days pictures are kept, by what they show."""

    round_days: Annotated[int, Field(ge=1, le=36_500)] = 90
    incident_days: Annotated[int, Field(ge=1, le=36_500)] = 1_825
    device_days: Annotated[int, Field(ge=1, le=36_500)] = 365


class CareSection(_Model):
    """Checkpoints of the chains, who witnesses them, and how long pictures are kept."""

    checkpoint_every_min: Annotated[int, Field(ge=1, le=1_440)] = 60
    witness_file: str = ""
    witness_url: Annotated[str, Field(pattern=r"^(https?://[^\s]+)?$"), AfterValidator(no_password)] = ""
    keep: KeepSection = KeepSection()


def _source(text: str) -> str:
    """What `studio keys` takes too; empty where the key file is plain."""
    try:
        WrappedBy.parse(text or "env:NONE")
    except BadInputError as error:
        raise ValueError(error.sentence) from None
    return text


class KeysSection(_Model):
    """`wrapped_by`: where the key comes from that wraps the key file; empty while that file is plain."""

    wrapped_by: Annotated[str, AfterValidator(_source)] = ""

    @property
    def source(self) -> WrappedBy | None:
        return WrappedBy.parse(self.wrapped_by) if self.wrapped_by else None
