(** What the main theorems rest on: check.sh wants "Closed under the global context" of each. *)

From Etalon Require Import Verify BackwardErrorTheorem Energy ProductCover WeakFriction Enclosure LemkePath Ratio.

(* Problems and forms. *)
Print Assumptions row_solved_as_written.
Print Assumptions pure_solves.
Print Assumptions check_solution_correct.
Print Assumptions form_identity.
Print Assumptions farkas_sound.
(* Covers. *)
Print Assumptions no_kernel_integers.
Print Assumptions full_rank_sound.
Print Assumptions check_alone_sound.
Print Assumptions cover_sound.
Print Assumptions cover_complete.
Print Assumptions face_ray.
(* Classes of matrices. *)
Print Assumptions solutions_reverse.
Print Assumptions unique_w.
Print Assumptions unique_z.
Print Assumptions inP_no_reversal.
Print Assumptions no_reversal_inP.
Print Assumptions exists_solution.
Print Assumptions check_definite_sound.
Print Assumptions check_dominant_sound.
Print Assumptions check_minors_sound.
(* The checker. *)
Print Assumptions verify_sound.
(* The backward error. *)
Print Assumptions eta_is_backward_error.
Print Assumptions componentwise_error.
Print Assumptions eta_at_most_one.
(* Friction cones. *)
Print Assumptions convex_as_written.
Print Assumptions lifted.
Print Assumptions near_mu_of_squares.
Print Assumptions slides_sound.
Print Assumptions slides_complete.
Print Assumptions coulomb_decides_correct.
Print Assumptions convex_decides_correct.
Print Assumptions cone_decides_correct.
Print Assumptions farkas_cones_sound.
Print Assumptions cone_cover_sound.
Print Assumptions convex_unique_w.
Print Assumptions convex_unique_z.
Print Assumptions three_solutions.
(* Contacts with several discs. *)
Print Assumptions product_convex_as_written.
Print Assumptions product_lifted.
Print Assumptions multipliers_correct.
Print Assumptions sum_meets_correct.
Print Assumptions product_coulomb_decides_correct.
Print Assumptions product_convex_decides_correct.
Print Assumptions few_roots_correct.
Print Assumptions up_to_four_correct.
Print Assumptions roots_refused.
Print Assumptions roots_accepted.
Print Assumptions products_decide_correct.
Print Assumptions farkas_products_sound.
Print Assumptions products_convex_unique.
Print Assumptions product_cover_sound.
Print Assumptions weak_friction_unique.
(* Enclosures. *)
Print Assumptions onto.
Print Assumptions krawczyk_zero.
Print Assumptions krawczyk_one_zero.
Print Assumptions coulomb_by_equations.
Print Assumptions real_solution_of_fractions.
Print Assumptions enclosure_sound.
(* Time stepping, and Lemke's method. *)
Print Assumptions energy_identity.
Print Assumptions dissipative.
Print Assumptions no_node_twice.
Print Assumptions lemke_no_basis_twice.
Print Assumptions lemke_terminates.
Print Assumptions step_or_ray.
