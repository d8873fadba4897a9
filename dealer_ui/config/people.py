"""What the configuration has of people: how long they deal, and what they show beside their PIN."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from studio.people import Role


class PeopleSection(BaseModel):
    """`dealing_min`: after so many minutes of dealing without a break dealer and pit are told. `second_factor`: the
    roles that need a second factor beside the PIN, a code or a passkey. `passkey_only`: those that need a passkey, for
    whom no code counts.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    dealing_min: Annotated[int, Field(ge=5, le=480)] = 60
    second_factor: tuple[Role, ...] = ()
    passkey_only: tuple[Role, ...] = ()
