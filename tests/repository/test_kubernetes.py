"""The manifests of deploy/kubernetes are valid, and agree with compose and the docs."""

import re
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy" / "kubernetes"
MANIFESTS = list(yaml.safe_load_all((FOLDER / "factuary.yaml").read_text(encoding="utf-8")))
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["services"]


def pod_of(kind: str, name: str) -> dict[str, Any]:
    return next(m for m in MANIFESTS if (m["kind"], m["metadata"]["name"]) == (kind, name))["spec"]["template"]["spec"]


@pytest.mark.parametrize("version", ["1.30", "1.34"])
@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda m: f"{m['kind']}-{m['metadata']['name']}")
def test_each_manifest_has_the_schema_of_kubernetes(manifest: dict[str, Any], version: str) -> None:
    kubernetes_validate.validate(manifest, version, strict=True)


def test_a_misspelled_field_is_refused() -> None:
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate({**MANIFESTS[0], "metadta": {}}, "1.34", strict=True)


@pytest.mark.parametrize(("kind", "name"), [("Job", "migrate"), ("Deployment", "web"), ("Deployment", "beat")])
def test_the_commands_are_those_of_compose(kind: str, name: str) -> None:
    command = pod_of(kind, name)["containers"][0]["command"]
    assert [word for word in command if not word.startswith("--schedule")] == COMPOSE[name]["command"]


def test_only_the_web_server_has_the_file_of_identity_providers() -> None:
    """A process that has the variable and not the file ends at its start."""
    with_variable = [name for name, part in COMPOSE.items() if "SIGN_IN_PROVIDERS" in part.get("environment", {})]
    assert with_variable == ["web"]
    assert "SIGN_IN_PROVIDERS" not in (FOLDER / "settings.env").read_text(encoding="utf-8")
    pod = pod_of("Deployment", "web")
    mounting = [
        container["name"]
        for container in [*pod["initContainers"], *pod["containers"]]
        if "providers" in {mount["name"] for mount in container["volumeMounts"]}
    ]
    assert mounting == ["web"]


def test_containers_have_no_rights_that_they_do_not_need() -> None:
    for kind, name in (("Job", "migrate"), ("Deployment", "web"), ("Deployment", "worker"), ("Deployment", "beat")):
        pod = pod_of(kind, name)
        assert pod["securityContext"]["runAsNonRoot"] and not pod["automountServiceAccountToken"]
        for container in [*pod.get("initContainers", []), *pod["containers"]]:
            rights = container["securityContext"]
            assert rights["readOnlyRootFilesystem"] and not rights["allowPrivilegeEscalation"]
            assert rights["capabilities"] == {"drop": ["ALL"]} and "memory" in container["resources"]["limits"]


def test_each_setting_is_documented() -> None:
    names = re.findall(r"^([A-Z0-9_]+)=", (FOLDER / "settings.env").read_text(encoding="utf-8"), re.MULTILINE)
    documented = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    assert len(names) >= 8 and [name for name in names if f"`{name}`" not in documented] == []
