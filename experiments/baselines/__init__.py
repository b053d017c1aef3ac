"""Samplers of other authors, written from their papers: yardsticks for the contest, not for use.

Both estimate F_alpha = sum f / sum g with f = c y and g = alpha c + (1 - alpha) y, where c is the decision and
y the label: alpha 1/2 is F1, 0 recall, 1 precision. Accuracy is the precision of the claim "this decision is
right": decisions all 1, the label says whether the decision was right, and the probability is the confidence.
"""
