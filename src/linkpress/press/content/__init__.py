"""What a PDF draws: its content streams executed into paths, text and images in page coordinates."""

import logging

# What qpdf mends in a damaged file becomes a finding; without a handler it would go to stderr too.
logging.getLogger("pikepdf").addHandler(logging.NullHandler())
