"""Which addresses are public, however they are wrapped (rules/safety#outbound-requests)."""

from ipaddress import ip_address

import pytest

from tallyroom.core.fetch.addresses import is_public

PUBLIC = [
    "1.1.1.1",
    "8.8.8.8",
    "100.63.255.255",
    "100.128.0.1",
    "168.63.129.15",
    "172.15.255.255",
    "172.32.0.1",
    "192.167.255.255",
    "223.255.255.255",
    "2606:4700::1111",
    "2a00:1450:4001:800::200e",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    "2002:808:808::1",
]

OTHERS = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",  # the metadata server of Alibaba Cloud
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",  # Azure
    "169.254.0.1",
    "169.254.169.254",  # the metadata server of most clouds
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.0.192",  # the metadata server of Oracle's older machines
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::808:808",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::7f00:1",
    "64:ff9b:1::808:808",
    "100::1",
    "2001::1",
    "2001:0:7f00:1::",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::1",
    "2002:c0a8:101::",
    "3fff::1",
    "3fff:fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",  # the metadata server of Amazon
    "fd20:ce::254",  # the metadata server of Google
    "fe80::1",
    "fe80::1%1",
    "fec0::1",
    "ff02::1",
    "ff0e::1",
]


@pytest.mark.parametrize("text", PUBLIC)
def test_these_are_public(text: str) -> None:
    assert is_public(ip_address(text))


@pytest.mark.parametrize("text", OTHERS)
def test_these_are_not(text: str) -> None:
    assert not is_public(ip_address(text))
