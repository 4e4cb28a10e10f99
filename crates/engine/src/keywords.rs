//! Lists of words, matched on the folded view.
