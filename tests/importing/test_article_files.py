"""Articles that are files by themselves: PDF, plain text, Markdown; alone, beside the prompts, or in an archive."""

import gzip
import zipfile

import pytest

from annotation.importing import article_files, input_files, load_dataset, pdf, zip_archives
from annotation.importing.article_files import join_lines
from annotation.importing.pdf import decode_glyphs
from annotation.models import Dataset, DatasetImport, Document
from tests.importing.files import FIXTURES, lines, prompt, refusal_of
from tests.importing.pdfs import encrypted
from tests.importing.pdfs import pdf as written

pytestmark = pytest.mark.django_db

TERNS = FIXTURES / "rows" / "articles" / "terns.pdf"
BEES = FIXTURES / "rows" / "articles" / "bees.txt"


def stored(key: str) -> dict[str, list[str]]:
    """Return the headings of a stored document and the paragraphs below each."""
    sections = Document.objects.get(key=key).sections
    return {section["heading"]: [p["text"] for p in section["paragraphs"]] for section in sections}


def problem_of(path, content: bytes) -> str:
    path.write_bytes(content)
    [problem] = refusal_of(load_dataset, "jsonl", [path], "s")
    return problem


def test_a_pdf_is_taken_apart_once_in_a_load_and_is_a_document_whose_pages_are_sections(monkeypatch):
    read, extract = [], pdf.output_of
    monkeypatch.setattr(pdf, "output_of", lambda *values, **more: read.append(1) or extract(*values, **more))
    load_dataset("jsonl", [TERNS], "s", dry_run=True)
    counts = load_dataset("jsonl", [TERNS], "s").as_json()
    assert len(read) == 2
    assert (counts["documents"], counts["prompts"], counts["new"]) == (1, 0, 1)
    assert counts["left_out"] == {"page without text": 1}
    document = Document.objects.get()
    assert (document.key, document.title) == ("terns.pdf", "Terns in turbid water")
    pages = stored("terns.pdf")
    assert list(pages) == ["Page 1", "Page 3"]
    end = "none of the nests that were watched was abandoned before the chicks had flown."
    assert pages["Page 1"][-1].endswith(end)
    assert pages["Page 3"][-2:] == ["- Clear days: 6.2 fish", "- Turbid days: 3.9 fish"]
    paragraphs = [p["id"] for section in document.sections for p in section["paragraphs"]]
    assert paragraphs == [f"p{n}" for n in range(1, len(paragraphs) + 1)]
    assert load_dataset("jsonl", [TERNS], "s").new == 0


def test_a_text_is_a_document_with_its_headings_and_paragraphs_and_form_feeds_are_pages(tmp_path):
    load_dataset("jsonl", [BEES], "s")
    [(heading, (_, second))] = stored("bees.txt").items()
    assert heading == "How a swarm decides"
    assert second == (
        "When about thirty scouts are at one hollow at the same time, they fly back and lead the swarm to it."
    )
    (tmp_path / "two.txt").write_text("One.\n\fTwo.\n")
    load_dataset("jsonl", [tmp_path / "two.txt"], "pages")
    assert stored("two.txt") == {"Page 1": ["One."], "Page 2": ["Two."]}


def test_ligatures_of_fonts_without_names_are_written_out():
    for page, text in (
        ("\x1du\x1by and e\x1ecient \x1csh", "fluffy and efficient fish"),
        ("e\x0ecient \x0csh re\rect wa\x0fes\r\nA new line", "efficient fish reflect waffles\r\nA new line"),
        ("stra\x19e, e\x0bort", "straße, effort"),
        ("x \x0b y, 2\x0bx, \x03", "x � y, 2�x, �"),
        ("Plain fish.\nNext\tline", "Plain fish.\nNext\tline"),
    ):
        assert decode_glyphs(page) == text


def test_a_character_that_cannot_be_read_is_seen_and_counted(tmp_path):
    path = tmp_path / "old.pdf"
    path.write_bytes(written([["An e\x1ecient \x1csh.", "Then \x02 and \x03."]]))
    assert load_dataset("jsonl", [path], "s").excluded.counts == {"unreadable character": 2}
    assert stored("old.pdf") == {"": ["An efficient fish. Then � and �."]}


def test_what_is_wrong_with_a_pdf_is_said_with_a_remedy(tmp_path):
    for content, says in (
        (b"%PDF-1.4\nnothing", "the PDF is damaged"),
        (b"", "the PDF is damaged"),
        (written([[], []]), "its pages (2) contain no text"),
        (written([[]]), ""),
    ):
        assert problem_of(tmp_path / "a.pdf", content).startswith(f"a.pdf: {says}")


def test_lines_become_paragraphs():
    for text, paragraphs in (
        ("A line\nthat goes on.\n\nAnother.", ["A line that goes on.", "Another."]),
        ("The exam-\nple is bro-\nken.", ["The example is broken."]),
        ("The Anglo-\nSaxons came.", ["The Anglo- Saxons came."]),
        ("x" * 300 + "\n" + "y" * 10, ["x" * 300, "y" * 10]),
        ("", []),
    ):
        assert list(join_lines(text)) == paragraphs


def test_a_prompt_names_its_article_by_the_file(tmp_path):
    for n, named in enumerate(["terns.pdf", "terns", "articles/terns.pdf", "articles\\terns.pdf"]):
        path = lines(tmp_path / "d.jsonl", [prompt("q1") | {"document": named}])
        counts = load_dataset("jsonl", [path, TERNS, BEES], f"s{n}")
        assert Dataset.objects.get(slug=f"s{n}").prompts.get().document.key == "terns.pdf"
        assert counts.excluded.counts["document without a prompt"] == 1


def test_a_folder_and_an_archive_stand_for_their_files(tmp_path):
    data = lines(tmp_path / "d.jsonl", [prompt("q1") | {"document": "terns.pdf"}])
    load_dataset("jsonl", [data, TERNS.parent], "folder")
    archive = tmp_path / "all.zip"
    with zipfile.ZipFile(archive, "w") as archive_file:
        archive_file.write(data, "set/d.jsonl")
        archive_file.write(TERNS, "set/articles/terns.pdf")
        for other in ("set/picture.png", "__MACOSX/set/._d.jsonl"):
            archive_file.writestr(other, b"x")
    counts = load_dataset("jsonl", [archive], "zip")
    assert counts.totals == {"documents": 1, "prompts": 1, "responses": 0, "items": 0}
    assert counts.excluded.counts["file of another kind"] == 1
    assert load_dataset("jsonl", [archive], "zip").new == 0
    assert [file["name"] for file in DatasetImport.objects.get(dataset__slug="zip").files] == ["terns.pdf", "d.jsonl"]


def test_a_packed_article_and_json_lines_called_txt_are_known(tmp_path):
    packed = tmp_path / "bees.txt.gz"
    packed.write_bytes(gzip.compress(BEES.read_bytes()))
    load_dataset("jsonl", [packed], "s")
    assert Document.objects.get().key == "bees.txt"
    path = lines(tmp_path / "d.txt", [prompt("q1")])
    assert load_dataset("jsonl", [path], "t").totals["prompts"] == 1


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_an_encrypted_pdf_is_read_unless_it_asks_for_a_password(tmp_path, algorithm):
    path, plain = tmp_path / "a.pdf", written([["Bees dance."], ["They return."]])
    path.write_bytes(encrypted(plain, algorithm))
    load_dataset("jsonl", [path], "s")
    assert stored("a.pdf") == {"Page 1": ["Bees dance."], "Page 2": ["They return."]}
    locked = encrypted(plain, algorithm, "secret")
    assert "is protected by a password; save a copy without one" in problem_of(path, locked)


def test_a_pdf_beyond_the_limits_is_refused(tmp_path, monkeypatch):
    path, two = tmp_path / "a.pdf", written([["One."], ["Two."]])
    monkeypatch.setattr(pdf, "MAX_PAGES", 1)
    assert "the PDF has 2 pages" in problem_of(path, two)
    monkeypatch.setattr(pdf, "MAX_PAGES", 5)
    monkeypatch.setattr(pdf, "MAX_RECORD_SIZE", 5)
    assert "million characters; split it" in problem_of(path, two)
    monkeypatch.setattr(pdf, "MAX_MEMORY", 1)
    assert "memory; save it again" in problem_of(path, two)
    monkeypatch.setattr(pdf, "MAX_PDF_SIZE", 100)
    assert "is larger than" in problem_of(path, two)


def test_a_pdf_that_takes_too_long_or_whose_reader_is_killed_in_mid_line_is_given_up(tmp_path, monkeypatch):
    program, path = tmp_path / "program.py", tmp_path / "a.pdf"
    monkeypatch.setattr(pdf, "_PROGRAM", program)
    monkeypatch.setattr(pdf, "MAX_SECONDS", 1)
    program.write_text("import time\ntime.sleep(60)\n")
    assert "takes longer than" in problem_of(path, written([["One."]]))
    program.write_text('print(\'{"pages": 3, "title": ""}\')\nprint(\'{"text": "Ter\', end=\'\')')
    assert problem_of(path, b"%PDF-1.7").startswith("a.pdf: reading the PDF took too much time or memory")


def test_what_is_no_text_or_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(article_files, "MAX_RECORD_SIZE", 1000)
    for content, says in (
        (b"\xff\xfeO", "this is not valid UTF-16; save the file as UTF-8"),
        (b"a\x00b", "this is not text"),
        (b" \n\n ", "the file contains no text; remove it"),
        (b"x" * 2000, "the text is longer than"),
    ):
        assert says in problem_of(tmp_path / "a.txt", content)


def zipped(path, *, method: int = zipfile.ZIP_DEFLATED, **members: bytes):
    with zipfile.ZipFile(path, "w", method) as archive_file:
        for name, content in members.items():
            archive_file.writestr(name.replace("_", "."), content)
    return path


def archive_problem(path) -> str:
    return problem_of(path, path.read_bytes())


def test_an_archive_of_too_much_is_refused_before_anything_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(zip_archives, "RATIO_MATTERS_FROM", input_files.MEGABYTE)
    path = zipped(tmp_path / "bomb.zip", a_jsonl=b"\n" * (8 * input_files.MEGABYTE))
    assert archive_problem(path).startswith("bomb.zip: the archive unpacks to more than 100 times its size")
    monkeypatch.setattr(zip_archives, "MAX_UNPACKED", input_files.MEGABYTE)
    assert "unpacks to more than 1 MB" in archive_problem(path)
    monkeypatch.setattr(zip_archives, "MAX_FILES", 2)
    path = zipped(tmp_path / "many.zip", a_txt=b"a", b_txt=b"b", c_txt=b"c")
    assert "the archive contains more than 2 files" in archive_problem(path)


def with_bytes(path, *places: tuple[bytes, int, int]) -> bytes:
    """Return the file with one byte changed behind each place."""
    content = bytearray(path.read_bytes())
    for entry, offset, value in places:
        content[content.find(entry) + offset] = value
    return bytes(content)


FILE, ENTRY = b"PK\x03\x04", b"PK\x01\x02"
UNKNOWN_METHOD = "a.zip: a.txt is compressed with an unsupported method; create the archive again with Deflate"


@pytest.mark.parametrize(
    ("places", "says"),
    [
        ([(FILE, 40, 255)], "the zip archive is damaged"),
        ([(ENTRY, 10, 9), (FILE, 8, 9)], UNKNOWN_METHOD),
        ([(ENTRY, 10, 99), (FILE, 8, 99)], UNKNOWN_METHOD),
        ([(ENTRY, 8, 1)], "protected by a password"),
    ],
)
def test_an_archive_that_lies_or_cannot_be_unpacked_is_refused(tmp_path, places, says):
    path = zipped(tmp_path / "a.zip", a_txt=b"Terns fly." * 50)
    assert says in problem_of(path, with_bytes(path, *places))


def test_a_damaged_file_packed_as_lzma_and_what_is_no_archive_are_named(tmp_path):
    path = zipped(tmp_path / "a.zip", method=zipfile.ZIP_LZMA, a_txt=b"Terns fly." * 500)
    damaged = with_bytes(path, *((FILE, offset, 255) for offset in range(60, 80)))
    for content, says in (
        (damaged, "a.zip/a.txt: the zip archive is damaged"),
        (b"", "this is not a zip archive"),
        (b"PK\x05\x06" + bytes(18), "in the archive"),
        (b"x" * 500, "not a zip archive"),
    ):
        assert says in problem_of(path, content)
