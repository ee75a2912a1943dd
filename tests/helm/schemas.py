"""What objects of Kubernetes may hold, as JSON Schemas that kubeconform reads: every other field is an error.

From Kubernetes' own API description (Swagger 2) and the resource definitions of the Prometheus operator."""

import json
import pathlib

from chart import TOOLS, yaml


def versions():
    """Those of Kubernetes that the chart is checked against."""
    return sorted(path.stem for path in (TOOLS / "kubernetes").iterdir())


def write(folder, version):
    """One file KIND-GROUP-VERSION.json in lower case for each kind, as kubeconform names them."""
    folder = pathlib.Path(folder)
    definitions = json.loads((TOOLS / "kubernetes" / f"{version}.json").read_text())["definitions"]
    for definition in definitions.values():
        for kind in definition.get("x-kubernetes-group-version-kind", []):
            if kind["kind"] in KINDS:
                _save(folder, kind["kind"], kind["group"], kind["version"], _resolved(definition, definitions))
    for path in (TOOLS / "operator").iterdir():
        resource = yaml.safe_load(path.read_text())["spec"]
        for version in resource["versions"]:
            schema = _resolved(version["schema"]["openAPIV3Schema"], {})
            _save(folder, resource["names"]["kind"], resource["group"], version["name"], schema)


# All that the chart holds; the others take a minute to write.
KINDS = {"ConfigMap", "CronJob", "Deployment", "HorizontalPodAutoscaler", "NetworkPolicy", "Pod", "PodDisruptionBudget", "Service",
         "ServiceAccount", "StatefulSet"}


def _save(folder, kind, group, version, schema):
    name = "-".join(part for part in (kind, group.split(".")[0], version) if part)
    (folder / f"{name.lower()}.json").write_text(json.dumps(schema))


def _resolved(schema, definitions):
    """The schema with its references resolved, and without additional properties."""
    if schema.get("$ref", "").endswith(".Quantity"):
        return {"type": ["number", "string"]}
    if "$ref" in schema:
        return _resolved(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if schema.get("format") == "int-or-string" or schema.get("x-kubernetes-int-or-string"):
        return {"type": ["integer", "string"]}
    result = {key: schema[key] for key in ("type", "enum", "required", "pattern", "minimum") if key in schema}
    if "properties" in schema:
        result["properties"] = {key: _resolved(value, definitions) for key, value in schema["properties"].items()}
        result["additionalProperties"] = False
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            result[key] = _resolved(schema[key], definitions)
    return result
