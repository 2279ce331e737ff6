"""Which addresses webhooks may be sent to."""

import pytest

from annotation.webhooks.addresses import UrlError, check_url, is_public

PRIVATE = [
    "127.0.0.1", "127.8.9.1", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.1.2.3",
    "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:93.184.216.34",
    "::127.0.0.1", "::10.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "fc00::1", "fd12:3456::1", "fe80::1",
    "fe80::1%eth0", "fec0::1", "ff02::1", "2001:db8::1", "2001::7f00:1", "2001:0:1::1", "2002:7f00:1::",
    "2002:a00:1::1", "100::1", "192.0.0.9", "192.0.0.10", "192.0.0.170", "192.31.196.1", "192.52.193.1",
    "192.88.99.1", "192.175.48.1", "2620:4f:8000::1", "3fff::1", "localhost", "",
]  # fmt: skip


def test_addresses_of_one_public_host_alone_are_accepted():
    assert [address for address in PRIVATE if is_public(address)] == []
    public = ["93.184.216.34", "8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "2a00:1450::1"]
    assert [address for address in public if not is_public(address)] == []


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/hook", "https://127.1/hook", "https://2130706433/", "https://0x7f000001/",
        "https://017700000001/", "https://0/", "https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/",
        "https://169.254.169.254/latest/meta-data/", "https://10.1.2.3:8443/", "https://[fe80::1]/",
    ],
)  # fmt: skip
def test_a_private_address_is_refused_in_any_notation(url, settings):
    with pytest.raises(UrlError, match="not public"):
        check_url(url)
    settings.WEBHOOK_ALLOWED_HOSTS = ["example.org"]
    with pytest.raises(UrlError, match="not public"):
        check_url(url)


@pytest.mark.parametrize(
    "url",
    [
        "", "example.org/hook", "ftp://example.org/", "file:///etc/passwd", "gopher://127.0.0.1:6379/_x", "https://",
        "https:///hook", "https://user:key@example.org/", "https://example.org/#part", "https://example.org:port/",
        "https://example.org/a b", "https://example.org/\nhost: x", "javascript:alert(1)", "https://0177.0.0.1/",
    ],
)  # fmt: skip
def test_what_is_no_address_of_a_web_server_is_refused(url):
    with pytest.raises(UrlError, match="Enter an address such as"):
        check_url(url)


def test_plain_http_and_private_addresses_are_for_allowed_hosts(settings):
    for url in ("http://hooks.example.org/", "http://hooks.internal:8080/"):
        with pytest.raises(UrlError, match="must start with https://"):
            check_url(url)
    settings.WEBHOOK_ALLOWED_HOSTS = ["Hooks.internal", "127.0.0.1", "[::1]"]
    for url in ("http://hooks.internal:8080/", "http://HOOKS.internal/", "http://127.0.0.1:9/", "https://[::1]/"):
        check_url(url)
    with pytest.raises(UrlError, match="must start with https://"):
        check_url("http://sub.hooks.internal/")


def test_a_public_address_is_accepted_and_a_long_one_refused():
    check_url("https://example.org/hook?key=1")
    check_url("https://bücher.example/haken")
    check_url("https://93.184.216.34:8443/")
    with pytest.raises(UrlError, match="too long"):
        check_url(f"https://example.org/{'a' * 500}")
