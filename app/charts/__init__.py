"""Results of core as Plotly figures: pure functions, one module a topic, no Streamlit calls."""
