"""Types of the dependencies that the app provides and the framework must not try to validate."""

from typing import Annotated

from litestar.params import Dependency

from tallyroom.auth.tenant import KeyPrincipal, SessionPrincipal
from tallyroom.core.clock import Clock

InjectedClock = Annotated[Clock, Dependency(skip_validation=True)]
"""`clock: InjectedClock` in a handler: a protocol has no instances that a validator could recognise."""

InjectedReader = Annotated[KeyPrincipal | SessionPrincipal, Dependency(skip_validation=True)]
"""`reader: InjectedReader` in a handler that takes a session or a key: the validator cannot tell two structs apart."""
