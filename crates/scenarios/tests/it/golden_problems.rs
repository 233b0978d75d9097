//! Scenes make the matrices and vectors of golden problems.

use crate::published::{Settings, data, scene};

/// Each scene makes the matrix and the vector of a golden problem.
#[test]
fn scenes_make_the_golden_problems() {
    let cases: &[(&str, &str, Settings)] = &[
        ("baraff/stack3", "stack", &[]),
        ("baraff/table4", "box-on-corners", &[]),
        (
            "baraff/table4_com_off",
            "box-on-corners",
            &[("offset_x", "1/2"), ("offset_y", "1/4")],
        ),
        ("baraff/painleve_inconsistent", "painleve-inconsistent", &[]),
        (
            "baraff/painleve_indeterminate",
            "painleve-indeterminate",
            &[],
        ),
        ("baraff/darwin_ray", "darwin-ray", &[]),
        ("painleve/accel_inconsistent", "painleve-inconsistent", &[]),
        (
            "painleve/accel_critical_p_zero",
            "painleve-inconsistent",
            &[("mu", "13/9")],
        ),
        (
            "painleve/accel_critical_p_zero_b_zero",
            "painleve-indeterminate",
            &[("mu", "13/9"), ("gravity", "64/5")],
        ),
        (
            "painleve/accel_sliding_lifts",
            "painleve-indeterminate",
            &[("mu", "1/2"), ("gravity", "34/5")],
        ),
        (
            "statics/two_corners_tip",
            "beam",
            &[("supports", "2"), ("spacing", "2"), ("torque", "-15")],
        ),
        ("statics/three_collinear", "beam", &[]),
        (
            "statics/four_collinear",
            "beam",
            &[
                ("mass", "2"),
                ("supports", "4"),
                ("first", "-2"),
                ("hole", "1"),
            ],
        ),
        (
            "statics/five_collinear_offset",
            "beam",
            &[("mass", "3"), ("supports", "5"), ("torque", "3")],
        ),
        (
            "statics/box3d_four_corners_load_corner",
            "grid",
            &[
                ("rows", "2"),
                ("columns", "2"),
                ("torque_x", "5"),
                ("torque_y", "-5"),
            ],
        ),
        (
            "statics/box3d_four_corners_tip",
            "grid",
            &[("rows", "2"), ("columns", "2"), ("torque_y", "-15")],
        ),
        (
            "statics/stack_1",
            "stack",
            &[("blocks", "1"), ("contacts", "2")],
        ),
        (
            "statics/stack_3_equal",
            "stack",
            &[("contacts", "2"), ("mass_step", "0")],
        ),
        (
            "statics/stack_5_equal",
            "stack",
            &[("blocks", "5"), ("contacts", "2"), ("mass_step", "0")],
        ),
        (
            "statics/stack_2_ratio_100",
            "stack",
            &[
                ("blocks", "2"),
                ("contacts", "2"),
                ("mass_step", "0"),
                ("mass_ratio", "100"),
            ],
        ),
        (
            "statics/stack_2_ratio_1000",
            "stack",
            &[
                ("blocks", "2"),
                ("contacts", "2"),
                ("mass_step", "0"),
                ("mass_ratio", "1000"),
            ],
        ),
        (
            "statics/stack_2_ratio_inverse_1000",
            "stack",
            &[
                ("blocks", "2"),
                ("contacts", "2"),
                ("mass", "1000"),
                ("mass_step", "0"),
                ("mass_ratio", "1/1000"),
            ],
        ),
        ("statics/ball_in_groove_345", "groove", &[]),
        (
            "statics/ball_in_symmetric_groove",
            "groove",
            &[("right_angled", "0"), ("mass", "2")],
        ),
        ("statics/pyramid_three_balls_walls", "pyramid", &[]),
        (
            "statics/pyramid_three_balls_no_walls",
            "pyramid",
            &[("walls", "0")],
        ),
        (
            "statics/pyramid_touching_lower_pair",
            "pyramid",
            &[("walls", "0"), ("touching", "1")],
        ),
        (
            "blocks/one_block",
            "beam",
            &[
                ("supports", "2"),
                ("spacing", "2"),
                ("mass", "2"),
                ("inertia_ratio", "1/2"),
            ],
        ),
        (
            "blocks/one_block_torque",
            "beam",
            &[
                ("supports", "2"),
                ("spacing", "2"),
                ("mass", "2"),
                ("inertia_ratio", "1/2"),
                ("torque", "-15"),
            ],
        ),
        ("impulses/cradle5_elastic", "cradle", &[]),
        ("impulses/cradle5_two_in", "cradle", &[("arriving", "2")]),
        (
            "impulses/cradle4_inelastic",
            "cradle",
            &[("balls", "4"), ("restitution", "0")],
        ),
        (
            "impulses/cradle3_half",
            "cradle",
            &[("balls", "3"), ("returning", "1"), ("restitution", "1/2")],
        ),
        (
            "impulses/chain_separating",
            "cradle",
            &[("balls", "3"), ("returning", "1"), ("speed", "-1")],
        ),
    ];
    for (golden, name, settings) in cases {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/problems");
        let text = std::fs::read_to_string(format!("{root}/{golden}.json")).unwrap();
        let golden = etalon_lcp::record::read_problem(&text).unwrap().record;
        let own = scene(name, settings).problem().unwrap();
        assert_eq!(
            data(&own),
            data(&golden),
            "{name} {settings:?}: {}",
            golden.name()
        );
    }
}
