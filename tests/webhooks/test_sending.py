"""Requests to receivers: where they go, what ends them, and what is never reached."""

import datetime
import socket
import ssl
import threading
import time
from ipaddress import ip_address

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from annotation.models import WebhookDelivery
from annotation.webhooks import sending
from annotation.webhooks.addresses import NotSent
from annotation.webhooks.sending import post
from tests.webhooks.receiver import receiver

Problem = WebhookDelivery.Problem
PUBLIC = "93.184.216.34"


@pytest.fixture
def local(settings):
    """Start a receiver whose host the site allows."""
    settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"]
    with receiver() as running:
        yield running


@pytest.fixture
def resolve(monkeypatch):
    """Let names have the given addresses, one list for each time that the name is asked for; return the names asked."""
    names: list[str] = []

    def answer(*answers: list[str]) -> list[str]:
        remaining, real = list(answers), socket.getaddrinfo

        def getaddrinfo(host, port, *arguments, **options):
            text = host.decode() if isinstance(host, bytes) else str(host)
            try:
                ip_address(text)
            except ValueError:
                names.append(text)
                addresses = remaining.pop(0) if len(remaining) > 1 else remaining[0]
                return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]
            return real(host, port, *arguments, **options)

        monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
        return names

    return answer


def problem_of(url: str) -> Problem:
    with pytest.raises(NotSent) as error:
        post(url, b"{}", {})
    return error.value.problem


def test_the_body_the_path_and_the_headers_arrive(local):
    assert post(local.url, b'{"a": 1}', {"webhook-id": "x"}) == 204
    assert local.paths == ["/hook?from=factuary"]
    [(headers, body)] = local.received
    assert (body, headers["webhook-id"], headers["host"]) == (b'{"a": 1}', "x", f"127.0.0.1:{local.port}")


def test_a_loopback_address_is_refused_unless_its_host_is_allowed(local, settings):
    settings.WEBHOOK_ALLOWED_HOSTS = []
    assert problem_of(local.url) == Problem.URL  # http
    assert problem_of(f"https://127.0.0.1:{local.port}/") == Problem.ADDRESS
    assert problem_of(f"https://2130706433:{local.port}/") == Problem.ADDRESS
    assert problem_of(f"https://0x7f.1:{local.port}/") == Problem.ADDRESS
    assert problem_of(f"https://[::ffff:127.0.0.1]:{local.port}/") == Problem.ADDRESS
    assert problem_of(f"https://localhost:{local.port}/") == Problem.ADDRESS
    assert local.received == []


@pytest.mark.parametrize("addresses", [["127.0.0.1"], [PUBLIC, "10.0.0.7"], ["::1"], ["169.254.169.254"]])
def test_a_name_with_a_private_address_among_its_addresses_is_refused(addresses, local, resolve):
    resolve(addresses)
    assert problem_of(f"https://receiver.example:{local.port}/") == Problem.ADDRESS
    assert local.received == []


def test_a_name_that_changes_its_address_after_the_check_reaches_nothing(local, resolve, monkeypatch):
    """DNS rebinding: the first answer is public, all later ones are the local receiver."""
    names = resolve([PUBLIC], ["127.0.0.1"])
    monkeypatch.setattr(sending, "CONNECT_LIMIT", 0.2)
    monkeypatch.setattr(sending, "TIME_LIMIT", 0.5)
    problem_of(f"https://rebinding.example:{local.port}/")
    assert names == ["rebinding.example"]
    assert local.received == []


def test_redirects_are_not_followed(local):
    with receiver() as other:
        for status in (301, 302, 303, 307, 308):
            local.answers, local.location = [status], other.url
            assert post(local.url, b"{}", {}) == status
        assert other.received == []


def test_no_proxy_is_used(local, monkeypatch):
    with receiver() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        assert post(local.url, b"{}", {}) == 204
        assert proxy.received == []


def test_a_receiver_that_answers_too_late_ends_in_time(local, monkeypatch):
    monkeypatch.setattr(sending, "TIME_LIMIT", 0.3)
    local.answers = [-60]
    started = time.monotonic()
    assert problem_of(local.url) == Problem.TIMEOUT
    assert time.monotonic() - started < 30


@pytest.mark.parametrize("piece", [b"x", b"x-a: 1\r\n"], ids=["slow", "endless"])
def test_an_answer_that_never_ends_ends_in_time(piece, settings, monkeypatch):
    """Headers that come byte by byte, or without end, take no longer and no more memory than the limits allow."""
    settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"]
    monkeypatch.setattr(sending, "TIME_LIMIT", 0.6)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip() -> None:
            connection, _ = server.accept()
            with connection:
                try:
                    connection.sendall(b"HTTP/1.1 200 OK\r\nx-y: ")
                    while True:
                        connection.sendall(piece if len(piece) == 1 else piece * 1_000)
                        time.sleep(0.05 if len(piece) == 1 else 0)
                except OSError:
                    return

        thread = threading.Thread(target=drip)
        thread.start()
        started = time.monotonic()
        assert problem_of(f"http://127.0.0.1:{server.getsockname()[1]}/") in (Problem.TIMEOUT, Problem.UNREACHABLE)
        assert time.monotonic() - started < 30
        thread.join()


def test_who_cannot_be_reached_and_who_is_unknown(settings, resolve):
    settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1", "unknown.invalid"]
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        assert problem_of(f"http://127.0.0.1:{closed.getsockname()[1]}/") == Problem.UNREACHABLE
    assert problem_of("http://unknown.invalid/") == Problem.NAME


def test_the_next_address_is_tried_if_the_first_refuses(settings, resolve, local):
    settings.WEBHOOK_ALLOWED_HOSTS = ["receiver.example"]
    resolve(["127.0.0.2", "127.0.0.1"])
    assert post(f"http://receiver.example:{local.port}/", b"{}", {}) == 204


def test_the_certificate_must_be_of_the_name_in_the_address(settings, resolve, tmp_path, monkeypatch):
    settings.WEBHOOK_ALLOWED_HOSTS = ["receiver.example", "other.example", "127.0.0.1"]
    resolve(["127.0.0.1"])
    context = server_context("receiver.example", tmp_path)
    with receiver(context) as running:
        assert problem_of(f"https://receiver.example:{running.port}/") == Problem.CERTIFICATE  # unknown issuer
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
        assert post(f"https://receiver.example:{running.port}/", b"{}", {}) == 204
        assert running.received[0][0]["host"] == f"receiver.example:{running.port}"
        assert problem_of(f"https://other.example:{running.port}/") == Problem.CERTIFICATE
        assert problem_of(f"https://127.0.0.1:{running.port}/") == Problem.CERTIFICATE
        assert len(running.received) == 1


def server_context(name, folder):
    """Return the TLS context of a server with a certificate of its own for `name`."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.now(datetime.UTC)
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    return context
