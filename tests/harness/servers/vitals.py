"""How much memory a server takes."""

from pathlib import Path

from harness.servers.server import Server


def forget_peak(server: Server) -> int:
    """Let the peak of the server's memory begin anew; returns the bytes that it holds. Nothing where there is no /proc."""
    path = Path(f"/proc/{server.process.pid}/clear_refs")
    if path.exists():
        path.write_text("5")
    return memory(server, "VmRSS")


def memory(server: Server, name: str) -> int:
    """A number of bytes in the server's status: VmRSS is what it holds, VmHWM the peak. 0 where there is no /proc."""
    status = Path(f"/proc/{server.process.pid}/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{name}:"))
