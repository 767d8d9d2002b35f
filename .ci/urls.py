"""
A hook of hatchling: the addresses in the package's metadata.

They are those of the repository that ``SITE_SOURCE`` names, as for the docs site; CI sets it. Without it the metadata have none:
a fork's package never points to another repository.
"""

from __future__ import annotations

import os
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class Urls(MetadataHookInterface):
    """Adds ``[project.urls]``."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the addresses of documentation, source, issues, changes and the security policy."""
        base = os.environ.get("SITE_SOURCE", "").rstrip("/")
        pages = {
            "Documentation": "/blob/main/README.md",
            "Source": "",
            "Issues": "/issues",
            "Changelog": "/blob/main/CHANGELOG.md",
            "Security": "/security/policy",
        }
        metadata["urls"] = {name: base + page for name, page in pages.items()} if base else {}
