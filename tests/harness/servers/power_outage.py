"""A server that was traced until it stopped, and the disk as a loss of power would have left it at any step of the run."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from harness.servers.power import Survives, everything
from harness.servers.replay import Replay
from harness.servers.strace import read_steps

_ANSWER = re.compile(rb"HTTP/1\.1 20\d (?:[^\r]*\r\n)+?x-request-id: (\S+)\r\n", re.IGNORECASE)


@dataclass
class Outage:
    """What is known about the run.

    Attributes:
        data: the server's directory, not there before the run.
        trace: what the server asked of the kernel.
        answers: for the id of each request that succeeded, the step in which its answer began to leave.
        blocks: the steps after which the store had a block and the spool did not know it.
        syncs: the steps after which something was synced.
        deletions: the steps after which the store had begun to delete a part.
    """

    data: Path
    trace: Path
    answers: dict[str, int] = field(default_factory=dict)
    blocks: list[int] = field(default_factory=list)
    syncs: list[int] = field(default_factory=list)
    deletions: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        for number, step in enumerate(read_steps(self.trace)):
            if step.result is None and step.name in {"write", "writev", "sendto", "sendmsg"}:
                found = _ANSWER.findall(b"".join(step.texts))
                self.answers |= {request.decode(): number for request in found}
            elif step.result == 0 and step.name == "unlink" and step.texts[0].endswith(b"/events.insert"):
                self.blocks.append(number)
            elif step.result == 0 and step.name in {"fsync", "fdatasync"} and self.answers:
                self.syncs.append(number)
            elif step.result == 0 and step.name == "rename" and b"/delete_tmp_" in step.texts[1]:
                self.deletions.append(number)

    def answered(self, number: int) -> list[str]:
        """The requests whose answer a client could have when step `number` was done."""
        return [request for request, sent in self.answers.items() if sent <= number]

    def disks(self, moments: Mapping[int, Survives], folder: Path) -> Iterator[tuple[int, Path]]:
        """Make the directory that is found after a loss of power at each of these steps, as a folder of its own.

        At the end the directory is made as if everything had been synced, and must be what the server has left.
        """
        replay = Replay(self.data)
        for number, step in enumerate(read_steps(self.trace)):
            replay.follow(step)
            if number in moments:
                disk = folder / f"disk-{number}"
                replay.save(disk, moments[number])
                yield number, disk
        whole = folder / "disk-whole"
        replay.save(whole, everything)
        assert contents(whole) == contents(self.data), "the trace does not tell everything"


def unsynced_parts(data: Path, trace: Path) -> list[str]:
    """Files of the store's parts that were not synced when their part took its place."""
    replay, found = Replay(data), []
    for step in read_steps(trace):
        replay.follow(step)
        if step.name == "rename" and step.result == 0 and b"/tmp_" in step.texts[0]:
            found += [f"{step.texts[1].decode()}{name}" for name in replay.unsynced(step.texts[1])]
    return found


def contents(folder: Path) -> dict[str, bytes]:
    """All files but SQLite's shared memory, which is written past the system and made anew at each start."""
    files = [path for path in folder.rglob("*") if path.is_file() and not path.name.endswith("-shm")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}
