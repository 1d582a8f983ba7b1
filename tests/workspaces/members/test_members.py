"""What is left of a member who was taken out."""

from typing import Any

from sqlalchemy import select

from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Membership, SignIn, User


async def test_sessions_and_membership_go_and_the_account_stays(
    sign_up: Any, open_server: Any, database: Database
) -> None:
    owner = await sign_up("owner")
    invited = await owner.post("/v1/invites", json={"email": "guest@example.com", "role": "admin"})
    async with open_server.client() as guest:
        body = {"token": invited.json()["token"], "name": "Guest", "password": "correct horse"}
        me = (await guest.post("/v1/invites/accept", json=body)).json()["user"]["id"]
        for _ in range(3):
            async with open_server.client() as other:
                again = {"email": "guest@example.com", "password": "correct horse"}
                assert (await other.post("/v1/auth/login", json=again)).status_code == 200
        assert (await owner.delete(f"/v1/members/{me}")).status_code == 204
        assert (await guest.get("/v1/members")).status_code == 401
    async with database.session(write=False) as db:
        assert me not in set(await db.scalars(select(SignIn.user_id)))
        assert me not in set(await db.scalars(select(Membership.user_id)))
        assert await db.get(User, me) is not None
    assert (await owner.get("/v1/auth/me")).status_code == 200
