"""The pages of the staff register: people, their rights and papers, and their badges."""
