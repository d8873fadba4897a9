"""The part of a configuration that says on which machines a studio runs; a studio without it is one process."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from dealer_ui.config.secret import no_password

TABLE_HOST: Final = "table"
WEB_NODE: Final = "web"
BOTH: Final = "both"
Role = Literal["table", "web", "both"]

HostName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,30}$")]


def _left_to_pgpass(address: str) -> str:
    try:
        return no_password(address)
    except ValueError as error:
        raise ValueError(f"{error}: leave it to a .pgpass file that its owner alone can read") from None


_Postgres = Annotated[str, Field(pattern=r"^(postgres(ql)?://\S+)?$"), AfterValidator(_left_to_pgpass)]
_Address = Annotated[str, Field(pattern=r"^(nats|tls)://[^\s,/@]+$")]


class ClusterSection(BaseModel):
    """`nats`: the servers of the wire; `tls://…` is encrypted, and `ca_file` says by whom their certificates are
    signed. `secret_file` holds `user:password` or a token, beside the configuration.

    `role`: a table host owns devices and runs tables; a web node serves pages, and runs none; a process that is both is
    a table host and, at `web_port`, a web node called `<host>-web`, whose secret is in `web_secret_file`. `host`: what
    this process is called, once in the studio. `desk`: the table host that keeps what is the whole studio's: staff,
    shifts, the pit's book, decks, bettors. `record`: its database, which every other process reads.

    `postgres`: the address of the database in which all hosts keep one record; then there is no `record`, and `shared`
    is the folder that every process reads, in which the secret of the PINs lies. `keys`: the address of a database of
    its own for the keys of sealed cards, so that another host can go on with a round; without it they lie in a file
    beside each host. `web_postgres`: the address by which web nodes have the record, under a role of less right.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    nats: Annotated[tuple[_Address, ...], Field(min_length=1)]
    host: HostName
    desk: HostName
    role: Role = "table"
    secret_file: str = ""
    web_secret_file: str = ""
    web_port: Annotated[int, Field(ge=1, le=65535)] = 8080
    ca_file: str = ""
    record: str = ""
    postgres: _Postgres = ""
    web_postgres: _Postgres = ""
    keys: _Postgres = ""
    shared: str = ""

    @property
    def keeps_desk(self) -> bool:
        """This process keeps the desk's record itself."""
        return self.role != WEB_NODE and self.host == self.desk

    def place_of(self, database: str) -> str:
        """Where this process reads the record, whose own database is that one."""
        if self.postgres:
            return self.postgres
        return self.record if self.role == WEB_NODE else database

    @property
    def as_it_reads(self) -> ClusterSection:
        """The same with the address of the record that is this process' own."""
        if self.role != WEB_NODE or not self.web_postgres:
            return self
        return self.model_copy(update={"postgres": self.web_postgres, "keys": ""})

    @property
    def table_part(self) -> ClusterSection:
        """What a process that is both is as a table host."""
        return self.model_copy(update={"role": TABLE_HOST})

    def web_part(self, database: str) -> ClusterSection:
        """What it is as a web node. `database`: where its own record lies, which it reads where no other is named."""
        record = self.record if self.record or self.postgres else database
        named = {"role": WEB_NODE, "host": f"{self.host}-web", "secret_file": self.web_secret_file, "record": record}
        return self.model_copy(update=named).as_it_reads

    def beside(self, folder: Path) -> ClusterSection:
        """The same, its files found from that folder, where the configuration lies."""
        named = ("secret_file", "web_secret_file", "ca_file", "shared")
        files = {name: str(folder / found) for name in named if (found := getattr(self, name))}
        return self.model_copy(update=files)
