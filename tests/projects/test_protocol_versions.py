"""Which version of a protocol new projects get, and who adds versions under a name."""

import pytest
from django.core.management import call_command

from annotation import protocols
from annotation.models import ProtocolVersion
from annotation.projects.protocol_versions import available_protocols, find_protocol, newest_protocol, store_protocol
from tests.cast import article_accuracy, person
from tests.web.protocols.sentences import SENTENCES

pytestmark = pytest.mark.django_db
SLUG = "article-accuracy"


def another(version: str, source: str = SENTENCES) -> str:
    first = protocols.load(source).version
    return source.replace(f'version = "{first}"', f'version = "{version}"', 1)


def upgraded(monkeypatch, version: str) -> str:
    """Replace the built-in version of article-accuracy by this text. Return the text."""
    text = another(version, protocols.builtin()[SLUG].source)
    monkeypatch.setattr(protocols, "builtin", lambda: {SLUG: protocols.load(text)})
    return text


def test_after_an_upgrade_the_version_that_comes_with_the_program_is_the_newest(monkeypatch):
    before = article_accuracy()
    text = upgraded(monkeypatch, "1000")
    assert newest_protocol(SLUG).source == text
    assert [protocol.version for protocol in available_protocols()] == ["1000"]
    assert ProtocolVersion.objects.filter(pk=before.pk).exists()


def test_a_version_is_named_after_the_slug():
    newest, first = newest_protocol("fact-support"), find_protocol("fact-support@1")
    assert (newest.version, first.version) == ("2", "1")
    assert find_protocol("fact-support@2") == find_protocol("fact-support") == newest == newest_protocol("fact-support")
    assert find_protocol("fact-support@3") is find_protocol("none@1") is None
    assert store_protocol(first.source, actor=person("lena")) == (first, False)


def test_the_list_takes_two_queries_once_the_built_in_protocols_are_stored(django_assert_num_queries):
    protocols_of_site = available_protocols()
    assert {protocol.slug for protocol in protocols_of_site} == set(protocols.builtin())
    with django_assert_num_queries(2):
        assert available_protocols() == protocols_of_site


def test_it_is_the_newest_also_where_somebody_took_its_name_before(monkeypatch):
    newest = protocols.load(another("99", SENTENCES.replace("own", SLUG)))
    row = {"slug": SLUG, "version": "99", "title": "Taken", "source": newest.source, "sha256": newest.sha256}
    ProtocolVersion.objects.create(**row)
    assert newest_protocol(SLUG).source == protocols.builtin()[SLUG].source
    upgraded(monkeypatch, "99")
    assert newest_protocol(SLUG).title  # the very version is taken: what was chosen under it stays as it is


def test_nobody_takes_the_name_of_a_protocol_that_comes_with_the_program():
    text = SENTENCES.replace("own", SLUG)
    for actor in (person("lena"), person("ada", admin=True), None):
        with pytest.raises(protocols.ProtocolError, match="line 1: slug 'article-accuracy' is the name") as refused:
            store_protocol(text, actor=actor)
        assert "choose another one" in str(refused.value)
    assert store_protocol(protocols.builtin()[SLUG].source, actor=person("lena"))[0] == article_accuracy()


def test_whoever_stored_the_first_version_and_admins_add_others():
    store_protocol(SENTENCES, actor=person("lena"))
    store_protocol(another("2"), actor=person("lena"))
    store_protocol(another("3"), actor=person("ada", admin=True))
    store_protocol(another("4"))
    with pytest.raises(protocols.ProtocolError, match="line 1: slug 'own' is the name of another user's protocol"):
        store_protocol(another("5"), actor=person("otto"))
    assert store_protocol(another("2"), actor=person("otto"))[1] is False  # the very text is there
    assert newest_protocol("own").version == "4"


def test_a_command_says_so_with_file_and_line(tmp_path, capsys):
    path = tmp_path / "mine.toml"
    path.write_text("# Mine.\n" + SENTENCES.replace("own", SLUG))
    with pytest.raises(SystemExit):
        call_command("load_protocol", str(path))
    assert "mine.toml:2: slug 'article-accuracy' is the name" in capsys.readouterr().err
