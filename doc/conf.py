# Copyright (c) 2026 The ml-cluster authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Sphinx builds the chapter by itself: make -C doc html."""

import pathlib
import re

project = "ml-cluster"
copyright = "2026, The ml-cluster authors"
author = "The ml-cluster authors"
source = pathlib.Path(__file__).parent.parent / "helper" / "module-version.cc"
release = re.search(r'return "([0-9.]+)"', source.read_text()).group(1)
version = release

master_doc = "ml-cluster"
exclude_patterns = ["build"]
extensions = ["sphinx.ext.mathjax"]
highlight_language = "none"
html_theme = "classic"
