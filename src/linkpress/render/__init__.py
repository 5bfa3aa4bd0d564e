"""Draws Frames; decides nothing."""

import sys
from types import ModuleType

# ReportLab would run ~/.reportlab_mods and ~/.reportlab_settings of whoever calls: a book must not
# depend on them. Modules of these names that are there already go before the files.
for _name in ("reportlab_mods", "reportlab_settings"):
    sys.modules.setdefault(_name, ModuleType(_name))
