import re
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": "annotation.site.static_storage.HashedModules"}}


def test_collected_modules_import_files_that_are_there(tmp_path: Path) -> None:
    with override_settings(STATIC_ROOT=tmp_path, STORAGES=STORAGES):
        call_command("collectstatic", interactive=False, verbosity=0)
    imports = [
        (module, module.parent / name)
        for module in (tmp_path / "js").rglob("*.js")
        for name in re.findall(r'(?:from |import\()"(\.{1,2}/.+?)"', module.read_text(encoding="utf-8"))
    ]
    assert len(imports) > 5
    assert [pair for pair in imports if not pair[1].exists()] == []
