"""What of a report is shown: a protocol with many questions need not be asked in full."""

from typing import Any

Report = dict[str, Any]


def without_the_unrated(report: Report) -> tuple[Report, list[str]]:
    """The report without the measures that nobody has given a rating for, and their keys. A report of no rating at all
    stays as it is.
    """
    own = report["overall"]["measures"]
    unrated = [key for key, of in own.items() if not of["n"]]
    if not unrated or len(unrated) == len(own):
        return report, []

    def kept(cells: list[Report]) -> list[Report]:
        return [cell | {"measures": {k: of for k, of in cell["measures"].items() if k in rated}} for cell in cells]

    rated = own.keys() - unrated
    cut = {
        "overall": kept([report["overall"]])[0],
        "systems": kept(report["systems"]),
        "by": {key: kept(cells) for key, cells in report["by"].items()},
        **{key: [row for row in report.get(key, []) if row["measure"] in rated] for key in ("comparisons", "ranks")},
        "aggregations": kept(report.get("aggregations") or []),
    }
    return report | cut, unrated
