"""Static files with the hash of their content in the name, in what our ES modules import too."""

from django.contrib.staticfiles.storage import HashedFilesMixin
from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedModules(CompressedManifestStaticFilesStorage):
    """Only hashed files are kept, so `import … from "./outbox.js"` has to name the hashed one.

    Django does that for every script or for none; some libraries' scripts only look as if they imported something, so
    it is done in our own folder alone.
    """

    support_js_module_import_aggregation = True
    _js_module_import_aggregation_patterns = (
        "js/*.js",
        vars(HashedFilesMixin)["_js_module_import_aggregation_patterns"][1],
    )
