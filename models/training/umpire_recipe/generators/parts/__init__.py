"""What generators are made of: people, times, measures, wordings, questions, layouts.

Three generators are long, so one of their kinds of twin stands here: agent_policy.py (of agent_steps), proposals.py (of opinions) and
service_order.py (of priority_rules).
"""
