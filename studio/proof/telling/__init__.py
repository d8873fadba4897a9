"""A recorded round told in sentences, from the journal alone; the faces of sealed cards are not in them."""
