"""The site of the project: `cargo xtask site` builds it from this folder, without a request to any network."""

project = "truefold"
author = "the authors of truefold"
copyright = "the authors of truefold; MIT or Apache-2.0"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["requirements.txt"]

# Headings can be linked to, as on other pages that show Markdown.
myst_heading_anchors = 4
# The sessions of the tool are shown as they are; names of types in docstrings are the short ones.
suppress_warnings = ["misc.highlighting_failure", "ref.python"]

# The parameters that a class documents belong to its constructor.
autoclass_content = "class"
autodoc_typehints = "none"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_ivar = True
# Parameters that share a description are told once.
napoleon_use_param = False

html_theme = "furo"
html_title = "truefold"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False


def skip(app, what, name, member, is_skipped, options):
    """Leaves out what scikit-learn adds to every estimator for its own sake."""
    return is_skipped or (name.startswith("set_") and name.endswith("_request")) or name == "set_output"


def setup(app):
    app.connect("autodoc-skip-member", skip)
