; A ferry that burns fuel: types, a number, a predicate that never changes, and a conditional effect.
(define (domain ferry)
  (:requirements :typing :numeric-fluents :conditional-effects :negative-preconditions)
  (:types place car)
  (:predicates (at-ferry ?p - place) (at ?c - car ?p - place) (aboard ?c - car) (route ?p ?q - place) (rusty))
  (:functions (fuel))
  (:action sail
    :parameters (?p ?q - place)
    :precondition (and (at-ferry ?p) (route ?p ?q) (>= (fuel) 1))
    :effect (and (at-ferry ?q) (not (at-ferry ?p)) (decrease (fuel) 1) (when (= (fuel) 1) (rusty))))
  (:action board
    :parameters (?c - car ?p - place)
    :precondition (and (at-ferry ?p) (at ?c ?p))
    :effect (and (aboard ?c) (not (at ?c ?p))))
  (:action leave
    :parameters (?c - car ?p - place)
    :precondition (and (at-ferry ?p) (aboard ?c))
    :effect (and (at ?c ?p) (not (aboard ?c)))))
