//! Answers that are known to be right or wrong, as they stand in records.

/// A problem with an answer, as they stand in records.
pub struct Case {
    pub name: &'static str,
    pub problem: &'static str,
    pub z: &'static str,
}

/// LAPACK on the right rows and interior points: within 1e-11 of the only solution in natural size.
pub const RIGHT: [Case; 17] = [
    Case {
        name: "friction, two contacts",
        problem: r#""M":[[7,-1,2,0],[-1,3,0,2],[2,0,2,0],[0,2,0,14]],"q":[-13,1,-8,0],"friction":[{"row":1,"normal":0,"mu":0.5},{"row":3,"normal":2,"mu":0.5}]"#,
        z: "[0.9999999999999999,-8.326672684688674e-17,3.0000000000000004,9.966774880157655e-18]",
    },
    Case {
        name: "linear, 3 rows",
        problem: r#""M":[[3,1,2],[1,9,0],[2,0,6]],"q":[-1,-9,0],"lower":["-inf","-inf","-inf"]"#,
        z: "[0.0,1.0,6.1679056923619804e-18]",
    },
    Case {
        name: "linear, 4 rows",
        problem: r#""M":[[6,-2,-1,3],[-2,2,0,-3],[-1,0,7,0],[3,-3,0,6]],"q":[-5,5,0,-9],"lower":["-inf","-inf","-inf","-inf"]"#,
        z: "[1.1102230246251565e-16,-0.999999999999999,8.223874256482638e-18,1.0000000000000004]",
    },
    Case {
        name: "open contact",
        problem: r#""M":[[1]],"q":[1]"#,
        z: "[5e-324]",
    },
    Case {
        // Rows 0 and 1 hold nothing; row 2 measures z_1, and through row 0 z_0.
        name: "zeros that only rows of zeros see",
        problem: r#""M":[[3,-1,0],[-3,5,0],[0,5,2]],"q":[0,0,-6]"#,
        z: "[-5.921189464667501e-17,-1.7763568394002506e-16,3.0000000000000004]",
    },
    Case {
        name: "interior point",
        problem: r#""M":[[1,0],[0,1]],"q":[-1,5]"#,
        z: "[1,1e-11]",
    },
    Case {
        name: "interior point, sizes of their own",
        problem: r#""M":[[1,0,0],[0,1e13,0],[0,0,1]],"q":[-1,-1,5]"#,
        z: "[1,1e-13,1e-17]",
    },
    Case {
        name: "a rounding below 0",
        problem: r#""M":[[1,0],[0,1]],"q":[-1,5]"#,
        z: "[1,-9e-10]",
    },
    Case {
        // z_1 = 0 = w_1 by cancellation; its rounding is 5e-5 of z_0.
        name: "a rounding below 0 in a large row, seen by a small one",
        problem: r#""M":[[1,0.5,0],[0.5,1,0.5],[0,0.5,1]],"q":[-1e-12,-0.5,-1]"#,
        z: "[1.00005e-12,-1e-16,1]",
    },
    Case {
        // Zeros behind zeros: rows 0 and 1 have no size but what row 2 carries into them.
        name: "a chain of zeros",
        problem: r#""M":[[2,1,0,0],[1,2,1,0],[0,1,2,1],[0,0,1,2]],"q":[0,0,-1,-2],"lower":["-inf","-inf","-inf","-inf"]"#,
        z: "[1.3e-17,-2.9e-17,4.2e-17,1]",
    },
    Case {
        // The multiplier's own row has no diagonal entry; the rows that it enters measure it.
        name: "an idle multiplier of an interior point",
        problem: r#""M":[[2,-1],[1,0]],"q":[-4,-1]"#,
        z: "[2,1e-12]",
    },
    Case {
        name: "an idle row beside an interior point",
        problem: r#""M":[[2,1],[1,2]],"q":[5,0]"#,
        z: "[1e-11,0]",
    },
    Case {
        // Contacts of one face, rounded: M_01^2 exceeds M_00 M_11 by a rounding.
        name: "nearly equal rows",
        problem: r#""M":[[1,1.0000000000000002,0.5],[1.0000000000000002,1,0.5],[0.5,0.5,1]],"q":[-1,-1,-0.5],"lower":["-inf","-inf","-inf"]"#,
        z: "[0.4999999999999999,0.5,4e-17]",
    },
    Case {
        // Rows 3 and 4 are one constraint twice, so the whole block has no transversal.
        name: "a redundant joint",
        problem: r#""M":[[3,1,2,0,0],[1,9,0,1,1],[2,0,6,0,0],[0,-1,0,0,0],[0,-1,0,0,0]],"q":[-1,-9,-1e-12,1,1],"lower":["-inf","-inf","-inf","-inf","-inf"]"#,
        z: "[-1.4284869583510348e-13,1,2.1428097391711683e-13,1.4285398261141122e-13,0]",
    },
    Case {
        // The cone of row 3 is closed but for rounding.
        name: "a closed cone",
        problem: r#""M":[[0,0.25,-2,1,7],[0,0.25,-2,1,0],[0,1,1,0,0],[0,0.75,0,3,0],[0,0,2,0,2]],"q":[-6.625,0.375,-4.1875,0,-2.375],"lower":[0,0,0,0,"-inf"],"friction":[{"row":2,"normal":0,"mu":0.0625},{"row":3,"normal":1,"mu":0.25}]"#,
        z: "[3.0000000000000004,1.1102230246251565e-16,0.18750000000000003,2.7755575615628914e-17,1]",
    },
    Case {
        // z_0 reaches rows 2 and 3 by way of its friction alone.
        name: "a normal force behind its sliding friction",
        problem: r#""M":[[0,5,1,1],[0,0,0,0],[0,1,-3,1],[0,1,0,2]],"q":[-10000000001.3125,-7,29999999998.9375,-2.0625],"lower":[0,0,"-inf","-inf"],"friction":[{"row":1,"normal":0,"mu":0.5}]"#,
        z: "[0.12500001059638127,0.06250000529819064,1e10,0.9999999735090468]",
    },
    Case {
        // A saddle point: the rows of the constraints measure z_1, and row 1 the multipliers.
        name: "zeros of a saddle point, scaled",
        problem: r#""M":[[1.0658141036401503e-14, 0.0, 4.656612873077393e-10, -8.673617379884035e-19, -0.0625, 0.0009765625], [0.0, 5.587935447692871e-09, 0.0, 0.0, 35184372088832.0, -274877906944.0], [1.4551915228366852e-11, 0.0, 1.6689300537109375e-06, -2.6645352591003757e-15, 0.0, 1.0], [-262144.0, 0.0, -25769803776.0, 112.0, 0.0, 3.602879701896397e+16], [64.0, -2.384185791015625e-07, 0.0, 0.0, 0.0, 0.0], [-128.0, 2.384185791015625e-07, -4194304.0, -0.015625, 0.0, 0.0]],"q":[-2.1827872842550278e-11, 0.0, -3.725290298461914e-08, -536870912.0, 131072.0, 655360.0],"lower":[0, "-inf", 0, 0, 0, 0]"#,
        z: "[2047.9999999999982, -0.000732421875, 0.031250000000000035, 16777216.000000004, 0.0, -4.760751726923901e-24]",
    },
];

/// Wrong by much in the own size of an unknown or a row.
pub const WRONG: [Case; 18] = [
    Case {
        name: "pulls",
        problem: r#""M":[[1,0],[0,1]],"q":[-1e12,5]"#,
        z: "[1e12,-999]",
    },
    Case {
        name: "pulls, in other units",
        problem: r#""M":[[1099511627776,0],[0,1]],"q":[-1e12,5]"#,
        z: "[0.9094947017729282,-999]",
    },
    Case {
        name: "above an upper bound",
        problem: r#""M":[[1,0],[0,1]],"q":[-1e12,-5],"lower":[0,1],"upper":["inf",2]"#,
        z: "[1e12,900]",
    },
    Case {
        name: "not complementary",
        problem: r#""M":[[1,0],[0,1]],"q":[-1e12,5]"#,
        z: "[1e12,0.9]",
    },
    Case {
        name: "18 times its cone",
        problem: r#""M":[[1,0,0],[0,1,0],[0,0,1]],"q":[-1e9,-0.1,5],"friction":[{"row":2,"normal":1,"mu":0.5}]"#,
        z: "[1e9,0.1,-0.9]",
    },
    Case {
        name: "a missed contact",
        problem: r#""M":[[1,0],[0,1]],"q":[-1e12,-5]"#,
        z: "[1e12,0]",
    },
    Case {
        name: "a row of its own size",
        problem: r#""M":[[1,0],[0,1]],"q":[-7e-18,-1]"#,
        z: "[0,1]",
    },
    Case {
        // The diagonal entry is noise; row 1 sees z_0 as large as it is.
        name: "a diagonal of noise excuses nothing",
        problem: r#""M":[[1e-300,1],[-1,1]],"q":[1,10]"#,
        z: "[5,0]",
    },
    Case {
        // The entries of the cycle outweigh the diagonal 1e10 to 1 in each step, both ways none.
        name: "a cycle of three",
        problem: r#""M":[[1e-10,1,0],[0,1e-10,1],[1,0,1e-10]],"q":[-1,-1,-1]"#,
        z: "[5,1,1]",
    },
    Case {
        name: "a cycle of three, an unknown that should be 0",
        problem: r#""M":[[1e-10,1,0],[0,1e-10,1],[1,0,1e-10]],"q":[10,-1,10]"#,
        z: "[5,1e10,0]",
    },
    Case {
        name: "a violated row is no witness for others",
        problem: r#""M":[[1e-300,1,1],[-1,1,0],[0,0,1]],"q":[-1,10,-1]"#,
        z: "[20,0,1]",
    },
    Case {
        // A far contact of 1e12 that rests on nothing must not excuse its neighbour.
        name: "a large size on a bound",
        problem: r#""M":[[1,0.5],[0.5,1]],"q":[-1,1e12]"#,
        z: "[1.1,0]",
    },
    Case {
        name: "an unknown that nothing sees",
        problem: r#""M":[[0,0],[0,1]],"q":[1,-1]"#,
        z: "[5,1]",
    },
    Case {
        name: "a cycle over a zero of the diagonal is not seen",
        problem: r#""M":[[1e-20,1],[-1,0]],"q":[1,1]"#,
        z: "[5,0]",
    },
    Case {
        name: "a large slack, seen by a small neighbour",
        problem: r#""M":[[1,-0.5],[-0.5,1]],"q":[1e10,-1]"#,
        z: "[1,1]",
    },
    Case {
        name: "a large force against a bound of 1",
        problem: r#""M":[[1]],"q":[-1e10],"upper":[1]"#,
        z: "[2]",
    },
    Case {
        name: "sliding friction in the wrong direction",
        problem: r#""M":[[1,0],[0,1]],"q":[-1,-1e11],"friction":[{"row":1,"normal":0,"mu":0.5}]"#,
        z: "[1,-0.5]",
    },
    Case {
        name: "friction of a contact that is far apart",
        problem: r#""M":[[1,0],[0,1]],"q":[1e10,1],"friction":[{"row":1,"normal":0,"mu":0.5}]"#,
        z: "[0,3]",
    },
];
