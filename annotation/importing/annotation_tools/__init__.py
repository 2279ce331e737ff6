"""Exports of annotation tools: tasks with the ratings of people and the predictions of models, one reader for each."""
