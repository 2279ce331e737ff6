"""A program of a rater who rates all that there is."""

from collections.abc import Callable

from rest_framework.test import APIClient


def rate_everything(program: APIClient, slug: str, answers_to: Callable[[str], dict]) -> list[tuple[str, dict]]:
    """Take, answer and finish until nothing is left. Return the id of the response and the answers of each rating."""
    ratings = []
    while (taken := program.post(f"/api/v1/projects/{slug}/assignments/")).status_code == 200:
        work = taken.json()
        for item in (item for item in work["items"] if item["rate"]):
            answers = answers_to(item["text"])
            path = f"/api/v1/assignments/{work['id']}/items/{item['id']}/"
            saved = program.put(path, {"answers": answers, "base_version": 0}, format="json")
            assert saved.json() == {"answers": answers, "version": 1}
            ratings.append((work["responses"][0]["id"], answers))
        assert program.post(f"/api/v1/assignments/{work['id']}/finish/").status_code == 200
    assert taken.status_code == 204
    return ratings
