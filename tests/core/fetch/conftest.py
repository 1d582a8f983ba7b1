"""A private certificate authority that the operator trusts, and servers with its certificates."""

import ssl
from collections.abc import Callable
from pathlib import Path

import pytest
import trustme

HOST = "api.example.com"

Certify = Callable[[str], ssl.SSLContext]


@pytest.fixture(scope="session")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="session")
def certify(authority: trustme.CA) -> Certify:
    """Makes the certificate of a server."""

    def made(*names: str) -> ssl.SSLContext:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        authority.issue_cert(*names).configure_cert(context)
        return context

    return made


@pytest.fixture
def trust(authority: trustme.CA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As an operator makes the server trust their own authority."""
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
