"""What every report is made of: sheets of typed cells, charts and notes, and a sheet as CSV. It knows no journal."""
