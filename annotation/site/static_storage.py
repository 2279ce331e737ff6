"""Static files with the hash of their content in the name, also in imports of our ES modules."""

from django.contrib.staticfiles.storage import HashedFilesMixin
from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedModules(CompressedManifestStaticFilesStorage):
    """Only hashed files are stored, so `import … from "./outbox.js"` has to name the hashed one.

    Django does that for every script or for none; some libraries' scripts only look as if they had imports, so only our
    own folder is processed.
    """

    support_js_module_import_aggregation = True
    _js_module_import_aggregation_patterns = (
        "js/*.js",
        vars(HashedFilesMixin)["_js_module_import_aggregation_patterns"][1],
    )
