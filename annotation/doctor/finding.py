"""What a check of the installation found."""

from dataclasses import asdict, dataclass

OK, WARNING, FAILED = "ok", "warning", "failed"


@dataclass(frozen=True)
class Finding:
    """The state of one part of the installation, and what to do if it is not `ok`."""

    part: str
    state: str
    message: str
    remedy: str = ""

    def line(self) -> str:
        remedy = f": {self.remedy}" if self.remedy else ""
        return f"{self.state:<8} {self.part:<11} {self.message}{remedy}"

    def to_dict(self) -> dict[str, str]:
        return asdict(self)


def ok(part: str, message: str) -> Finding:
    return Finding(part, OK, message)


def warning(part: str, message: str, remedy: str) -> Finding:
    return Finding(part, WARNING, message, remedy)


def failed(part: str, message: str, remedy: str) -> Finding:
    return Finding(part, FAILED, message, remedy)
