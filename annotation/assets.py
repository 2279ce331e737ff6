"""Static files with the hash of their content in the name, in what ES modules import too."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedModules(CompressedManifestStaticFilesStorage):
    """Only hashed files are kept, so `import … from "./outbox.js"` has to name the hashed one."""

    support_js_module_import_aggregation = True
