"""Static files with the hash of their content in the name, also in imports of our ES modules."""

from django.contrib.staticfiles.storage import HashedFilesMixin
from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedModules(CompressedManifestStaticFilesStorage):
    """Only hashed files are stored, so `import … from "./outbox.js"` must name the hashed one.

    Django rewrites the imports of every script or of none; some libraries' scripts contain text that looks like an
    import, so only our own folder is processed.
    """

    support_js_module_import_aggregation = True
    _js_module_import_aggregation_patterns = (
        "js/*.js",
        vars(HashedFilesMixin)["_js_module_import_aggregation_patterns"][1],
    )
