"""What a PDF draws: its content streams executed into paths, text and images in page coordinates."""
