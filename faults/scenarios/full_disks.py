"""Full disks: of the database, and of uploads and exports."""

from uuid import uuid4

from annotation.models import Job, Upload

from .. import study
from ..background import KINDS
from ..clients import Answer, Line
from ..situation import Situation, scenario

FULL_SECONDS = 20.0


@scenario("disk of the database full", may_fail=True)
def fill_database(situation: Situation) -> None:
    """Fill the disk while jobs are about to store. PostgreSQL may end; it is started again when there is space."""
    disk = situation.site.disks["database"]
    situation.hold_jobs()
    disk.fill()
    situation.release_jobs()
    situation.work_on(FULL_SECONDS)
    situation.notes["postgres_ended"] = not situation.site.children.is_running("postgres")
    disk.free()


@scenario("disk of stored files full", longest_gap=10, may_fail=True)
def fill_media(situation: Situation) -> None:
    """Fill the disk of uploads and exports: rating goes on, an upload is answered 507, an export fails and says why."""
    disk = situation.site.disks["media"]
    used = disk.used_by_site()
    disk.fill()
    uploads = Upload.objects.count()
    answer = _upload(situation)
    situation.expect(answer.status == "507", f"an upload to a full disk is answered 507, not {answer.status}")
    situation.expect(b"disk" in answer.body, "the page says that the disk is full")
    situation.expect(Upload.objects.count() == uploads, "a failed upload leaves no row")
    [export] = situation.start_jobs(KINDS[2])
    situation.wait_for_jobs()
    export.refresh_from_db()
    situation.expect(export.state == Job.State.FAILED, f"the export fails, and is not {export.state}")
    situation.expect("disk" in " ".join(export.problems), f"the export says why: {export.problems}")
    bytes_left = disk.used_by_site() - used
    situation.expect(bytes_left <= 0, f"failed files are removed: {bytes_left} bytes are left")
    disk.free()
    situation.start_jobs()


def _upload(situation: Situation) -> Answer:
    """Upload a data set of 4 MB as an admin's browser does."""
    token, boundary = "a" * 32, uuid4().hex
    fields = {"csrfmiddlewaretoken": token, "format": "jsonl", "slug": "too-large", "subset": "all", "seed": "1"}
    parts = [f'--{boundary}\r\nContent-Disposition: form-data; name="{n}"\r\n\r\n{v}\r\n' for n, v in fields.items()]
    parts.append(
        f'--{boundary}\r\nContent-Disposition: form-data; name="upload"; filename="large.jsonl"\r\n'
        f"Content-Type: application/json\r\n\r\n{'x' * 4_000_000}\r\n--{boundary}--\r\n"
    )
    cookie = f"{study.session_cookie()}; factuary_csrf={token}"
    line = Line(situation.site, {"Cookie": cookie, "Content-Type": f"multipart/form-data; boundary={boundary}"})
    return line.ask("POST", "/datasets/import/", "".join(parts).encode())
