"""The rules of a sign-up, for a user whom the operator creates."""

import msgspec

from tallyroom.auth.operator import NewUser
from tallyroom.auth.sign_in.schemas import SignupIn
from tallyroom.rest.bodies import build_validation_failed


def check_new_user(email: str, name: str, password: str) -> NewUser:
    """Check the parts by the rules of a sign-up and return them; raise `ValidationFailed` if one breaks a rule."""
    try:
        body = msgspec.convert({"email": email, "name": name, "password": password}, SignupIn)
    except msgspec.ValidationError as error:
        raise build_validation_failed(str(error)) from error
    return NewUser(body.email.lower(), body.name, body.password)
