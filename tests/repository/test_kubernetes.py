import re
from typing import Any

import kubernetes_validate
import pytest
import yaml

from tests.conftest import CODE

FOLDER = CODE / "deploy" / "kubernetes"
MANIFESTS = list(yaml.safe_load_all((FOLDER / "factuary.yaml").read_text(encoding="utf-8")))
COMPOSE = yaml.safe_load((CODE / "docker-compose.yml").read_text(encoding="utf-8"))["services"]


def pod_of(kind: str, name: str) -> dict[str, Any]:
    return next(m for m in MANIFESTS if (m["kind"], m["metadata"]["name"]) == (kind, name))["spec"]["template"]["spec"]


@pytest.mark.parametrize("version", ["1.30", "1.34"])
def test_each_manifest_has_the_schema_of_kubernetes_and_a_misspelled_field_is_refused(version: str) -> None:
    for manifest in MANIFESTS:
        kubernetes_validate.validate(manifest, version, strict=True)
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate({**MANIFESTS[0], "metadta": {}}, version, strict=True)


def test_only_the_web_server_has_the_file_of_identity_providers() -> None:
    """A process that has the variable and not the file ends at its start."""
    with_variable = [name for name, part in COMPOSE.items() if "SIGN_IN_PROVIDERS" in part.get("environment", {})]
    assert with_variable == ["web"]
    assert "SIGN_IN_PROVIDERS" not in (FOLDER / "settings.env").read_text(encoding="utf-8")
    pod = pod_of("Deployment", "web")
    containers = [*pod["initContainers"], *pod["containers"]]
    mounts = [(container["name"], mount["name"]) for container in containers for mount in container["volumeMounts"]]
    assert [name for name, mounted in mounts if mounted == "providers"] == ["web"]


def test_the_commands_are_those_of_compose_and_containers_have_no_rights_that_they_do_not_need() -> None:
    for kind, name in (("Job", "migrate"), ("Deployment", "web"), ("Deployment", "worker"), ("Deployment", "beat")):
        pod = pod_of(kind, name)
        if name != "worker":
            command = [word for word in pod["containers"][0]["command"] if not word.startswith("--schedule")]
            assert command == COMPOSE[name]["command"]
        assert pod["securityContext"]["runAsNonRoot"] and not pod["automountServiceAccountToken"]
        for container in [*pod.get("initContainers", []), *pod["containers"]]:
            rights = container["securityContext"]
            assert rights["readOnlyRootFilesystem"] and not rights["allowPrivilegeEscalation"]
            assert rights["capabilities"] == {"drop": ["ALL"]} and "memory" in container["resources"]["limits"]


def test_each_setting_is_documented() -> None:
    names = re.findall(r"^([A-Z0-9_]+)=", (FOLDER / "settings.env").read_text(encoding="utf-8"), re.MULTILINE)
    documented = (CODE / "docs" / "deploy.md").read_text(encoding="utf-8")
    assert len(names) >= 8 and [name for name in names if f"`{name}`" not in documented] == []
