; Lamps that a fuse can bear, but not all of them at once: quantifiers, a constant, and costs.
(define (domain lamps)
  (:requirements :adl :action-costs)
  (:types lamp)
  (:constants hall - lamp)
  (:predicates (lit ?l - lamp) (blown))
  (:functions (total-cost) - number)
  (:action light
    :parameters (?l - lamp)
    :precondition (not (lit ?l))
    :effect (and (lit ?l) (increase (total-cost) 2)))
  (:action blow
    :parameters ()
    :precondition (forall (?l - lamp) (lit ?l))
    :effect (and (blown) (forall (?l - lamp) (not (lit ?l))))))
