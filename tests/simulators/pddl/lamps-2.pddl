; A blown fuse, and light all the same.
(define (problem lamps-2)
  (:domain lamps)
  (:objects kitchen - lamp)
  (:init (= (total-cost) 0))
  (:goal (and (blown) (or (lit hall) (lit kitchen))))
  (:metric minimize (total-cost)))
