"""Events get the second text that they had when they were accepted."""

import json

from tallyroom.operations.relocation.store import _add_narrowed_texts


def line(properties: str, stand_in: str) -> bytes:
    return json.dumps(["w", 18446744073709551615, "ä", properties, stand_in], separators=(",", ":")).encode() + b"\n"


def test_only_integers_beyond_64_bits_need_one() -> None:
    large, most = '{"n":123456789012345678901234567890,"x":",\\"\\"]"}', '{"n":18446744073709551615}'
    found = [
        json.loads(each)
        for each in _add_narrowed_texts(line("{}", "") + line(large, large) + line(most, most)).splitlines()
    ]
    assert found[0] == ["w", 18446744073709551615, "ä", "{}", ""]
    assert found[1][:-1] == ["w", 18446744073709551615, "ä", large]
    assert json.loads(found[1][-1]) == {"n": 1.2345678901234568e29, "x": ',""]'}
    assert found[2][-1] == ""
