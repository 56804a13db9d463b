"""Tables, numbers and figures in a Markdown page, written anew from a ledger.

A page names an experiment and its ledger, by their paths from the page. Each later marker names a table, a
number or a figure, which is written between it and the next end marker. `kinds` lists them.

    <!-- results: ../../experiments/strength.toml strength-episodes.csv -->
    <!-- scores: ras-89 best-89 -->
    <!-- end -->

`pixelplan report PAGE.md` writes a page anew.
"""
