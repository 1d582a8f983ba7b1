from harness.workspace import Workspace


def test_first(workspace: Workspace) -> None:
    r = workspace.send({"name": "signup", "_actor": "u1"})
    assert (r.status_code, r.json()) == (202, {"accepted": 1})
    assert workspace.get("/v1/actors", token=workspace.key).json()["actors"][0]["actorKey"] == "u1"
