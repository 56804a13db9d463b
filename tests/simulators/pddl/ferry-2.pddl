; Two cars to be brought across, with fuel for three crossings.
(define (problem ferry-2)
  (:domain ferry)
  (:objects north south - place red blue - car)
  (:init (at-ferry north) (at red south) (at blue south) (route north south) (route south north) (= (fuel) 3))
  (:goal (and (at red north) (at blue north) (not (aboard red)))))
