//! The promises of the families, checked in exact arithmetic that none of them uses.

mod classes;
mod cones;
mod mixed;
mod theory;

use etalon_lcp::{Problem, record};
use rug::Rational;

use super::*;

fn problems(family: &str, n: usize, count: u64) -> Vec<Problem> {
    generate(family, n, count, 1).unwrap().collect()
}

/// The first sizes of a family, none over `largest`.
fn sizes(family: &Family, largest: usize) -> Vec<usize> {
    (1..=largest)
        .filter(|&n| family.sizes.contains(n))
        .collect()
}

/// The first size from 8 on, so that members of a family can differ.
fn some_size(family: &Family) -> usize {
    (8..).find(|&n| family.sizes.contains(n)).unwrap()
}

fn exact(problem: &Problem) -> Vec<Vec<Rational>> {
    let entry = |i, j| {
        let value = problem.m().get(i, j);
        value.map_or_else(Rational::new, etalon_lcp::Number::to_rational)
    };
    (0..problem.n())
        .map(|i| (0..problem.n()).map(|j| entry(i, j)).collect())
        .collect()
}

#[test]
fn every_family_makes_records_that_read_back() {
    for family in all_families() {
        for n in sizes(family, 9) {
            for (k, problem) in problems(family.name, n, 7).into_iter().enumerate() {
                assert_eq!(problem.name(), format!("{}/n{n}/s1/{k}", family.name));
                assert_eq!(problem.n(), n);
                assert!(problem.is_binary64(), "{}", problem.name());
                let tags = &problem.remarks.tags;
                assert!(tags.iter().any(|tag| tag == family.name), "{tags:?}");
                assert!(tags.iter().any(|tag| tag == family.theory.word()));
                let read = record::read_problem(&record::write_problem(&problem)).unwrap();
                assert_eq!(read.record, problem);
                assert_eq!(read.unknown_fields, Vec::<String>::new());
            }
        }
    }
}

#[test]
fn larger_sizes_are_well_formed_too() {
    for family in all_families() {
        // 53 is where the integers of birge-gana fill a double.
        let n = (1..=53).rev().find(|&n| family.sizes.contains(n)).unwrap();
        let all = problems(family.name, n, 3);
        assert!(all.iter().all(|problem| problem.n() == n));
    }
}

#[test]
fn a_longer_run_begins_with_the_shorter_one() {
    for family in all_families() {
        let n = some_size(family);
        let short = problems(family.name, n, 3);
        assert_eq!(problems(family.name, n, 6)[..3], short);
    }
}

#[test]
fn seeds_and_numbers_change_the_problem() {
    for family in all_families() {
        let n = some_size(family);
        let of = |seed| -> Vec<Problem> { generate(family.name, n, 3, seed).unwrap().collect() };
        let (one, two) = (of(1), of(2));
        // k = 0 of some families is the published problem, whatever the seed.
        assert_ne!(one[1].m(), two[1].m(), "{}", family.name);
        assert_ne!(one[1].m(), one[2].m(), "{}", family.name);
    }
}

/// A change here changes every generated problem that anybody has on file: do not.
#[test]
fn the_bytes_never_change() {
    let digests: Vec<_> = PINNED
        .iter()
        .map(|(family, n, k, _)| {
            let mut all = generate(family, *n, k + 1, 1).unwrap();
            record::digest(&all.nth(*k as usize).unwrap())
        })
        .collect();
    let pinned: Vec<_> = PINNED
        .iter()
        .map(|pin| format!("sha256:{}", pin.3))
        .collect();
    assert_eq!(digests, pinned);
}

#[rustfmt::skip]
const PINNED: &[(&str, usize, u64, &str)] = &[
    ("pd", 6, 1, "5d3c96c9b69ff07ebbc9307c16353d5fa4bf3c0e03e3337b9840bf9356b02290"),
    ("pd-int", 6, 1, "39be8a0f7a77383fc773e90c410b3bd7601fd4f79d853e4de7381b6bb1f6257f"),
    ("psd", 6, 1, "ed8181e082961a031450f33d91a7250266ddd1107f42c8f7fdf3c489ec3c4e32"),
    ("psd-infeasible", 6, 1, "37cc363734552bf18e209a68ff45b1e219e92074747b149f1cfb8586bbc296b1"),
    ("p", 6, 1, "1c53caf98e84181d81ebcd712d5e514d40a81426177b941350d3fc968cba1e48"),
    ("p-hidden", 6, 1, "8f5ab88918ed36c4d03d95a878176c438b3e9d9e5baf93956d56ed792d6b5578"),
    ("murty", 6, 1, "0c7dcf70d97433814f90560eac171b94587db18b7c3c4887843dfeb47e340c97"),
    ("birge-gana", 6, 1, "cf8ef6a804945dfd5ccfe274557ff6396d5643d4a2a03f9345d9bd63cc6b103c"),
    ("fathi", 6, 1, "1265d20bd8a1262ffe5723e0512aef49c3f39c800eebe4c7deadc64acba4667b"),
    ("kostreva", 7, 1, "12e8180b17eab1479f2568389d0339c13178c37e9094e0c9813cd2679507aefe"),
    ("degenerate", 6, 1, "bbbde712ce6a429a51bb2574aecad6a5a03730e21a2dc6636747ab49e04e8be4"),
    ("bimatrix", 6, 1, "08d1bec5123035cf1f294ba73aba768f4f6777653b2ec876c96a1cbb7a92bb7e"),
    ("infeasible", 6, 1, "d38f04a812470aeb785a263401f861700598aa72f709798fdc603c97ba246f86"),
    ("no-solution", 6, 1, "62aa33bac7425abf9da19bf3caf09e5329692640f9b29ad1dec66000af9c1490"),
    ("badly-scaled", 6, 1, "28ef99b6b82d6deb8c4be8b4c213fede67b0664450bba797d2608d5800f57228"),
    ("copositive-friction", 8, 1, "f7b527e678ff2109f788414578369d6d635ce49c0a4c3e241bd7d528485ebba2"),
    ("box", 6, 1, "9f26f699fd04a25b17d299efe1b32c74ea4d8bd4cb2cf27deea7393151ecc969"),
    ("bilateral", 6, 1, "f3f2994418a71e16979777fb56a3d188cb20be4026f242843916a34401efe279"),
    ("friction-box", 6, 1, "e01e0c861df46325394f86d765a5ff29fad9648ebe508367b4d8327dcbe6be52"),
    ("integer", 6, 1, "ee80f18c3f585a47d64419bb7d39fd82f9fcc82338f8a44f389c18ffb4d4b59a"),
    ("stack", 6, 1, "43b5d93793513da1f68c07633b101317e897dc0ad4254bc7ae798cb7ba1882a3"),
    ("wall", 20, 1, "f34d3fe57d44edb143f684af433d159e7c41bc59f1515e8933ba42437e25b372"),
    ("friction-wall", 16, 1, "317cc192e99b5cba8fc27b21044d1f4709d08bd61f5422ee2b8d965c1fbe0122"),
    ("friction-four", 12, 1, "52efcdd5203b09aa13e333cd19d874ed709452745c6fb932d00c254586695628"),
    ("friction-eight", 20, 1, "f5f5fc2b48e4e2ac89fa0aae5d3f36706cf56c2e80e8ab62ad49f161fc86a53f"),
    ("pile-3d", 20, 1, "250a660ed671b70d1a0033e6b5859ac0dc9e7380dfb92bcfc58439c0c7a150d5"),
    ("friction-pile-3d", 18, 1, "aa059bc70f8ac481915c35509f37b75bf9bb5cdf6440539aa6799ea2c5d97be2"),
    ("friction-pile-eight", 30, 1, "173065e626a631dcc171c01ac9d99a132fb1f60d26f620c2fd9b2bdcc5597e91"),
    ("column", 12, 1, "5e89ded8031d748696eb2c93767edd28e9dd51849aa332fef8025a483addd0b6"),
    ("friction-column", 16, 1, "28153585a076e1d948703ef1d4ad775695df47a4472ff7dc8445b9b99a2df0f0"),
    ("mixed-stack", 20, 1, "9202141652cd02406dd522bd62cc12814e66d91704689a7710a4fd9cbeb0f5ce"),
    ("mixed-wall", 20, 1, "a922876e146c037a092054efda546719760421b1ec43778ec6f4ab610a61725a"),
    ("mixed-column", 20, 1, "b1c6f0628057f91e25af0d0d7f3ea4c94c7a0a10e748bc612a48a566dc3a698b"),
    ("mixed-pile-3d", 40, 1, "03662919c69ad8025a8782bb1fa7ff9a428f49213b3a0a2bf224747f2efb4c43"),
    ("mixed-friction-wall", 30, 1, "0ee9be3f7f218850a3390edfaf93783c852fba54657990853628c96cf5e26f80"),
    ("mixed-friction-column", 30, 1, "4a9baf46b7c7e1576750e2a612997e42d8b307ff4db6c685c76ec904ae6eaf4d"),
    ("mixed-friction-pile-3d", 48, 1, "cc102f40631c0635519df4addc32cc27b36452c100826e5e3ccb70f8c70bdbc5"),
    ("mixed-friction-pile-eight", 66, 1, "50ab8c300bc5d2bc9f4dbe2cbf355edd329cfe129a322c41c0f894d393e40cff"),
    ("cone-wall", 30, 1, "32c03a38e57861565e7b4765c0168cbd165cf1643b716aa65cb55c4db99eb2cb"),
    ("cone-column", 30, 1, "804260c64fdb4a69c970abd2703bb8c61d17377e79fdfe9fb543f5bdce54b030"),
    ("cone-pile-3d", 48, 1, "93ac06bccd414afdd86ed185e9a9de332b0f27f21187acec6185152a9fc3ad34"),
    ("tiny-q", 6, 1, "85f43f29c6a77520b8f229b54e3c04a66913cad74abb551e1c888c5d4b2138b2"),
];

#[test]
fn an_unknown_family_lists_the_known_ones() {
    let error = generate("pdd", 3, 1, 1).err().unwrap();
    assert!(matches!(&error, GenerateError::UnknownFamily { name } if name == "pdd"));
    let text = error.to_string();
    assert!(families().iter().all(|family| text.contains(family.name)));
    let long = generate(&"x".repeat(1000), 3, 1, 1).err().unwrap();
    assert!(long.to_string().len() < 1000);
}

#[test]
fn a_size_out_of_range_says_the_range() {
    let text = |family, n| generate(family, n, 1, 1).err().unwrap().to_string();
    assert!(text("pd", 0).contains("1 to 5000, none of size 0"));
    assert!(text("kostreva", 4).contains("3, 5, 7, ... up to 1999, none of size 4"));
    assert!(text("copositive-friction", 6).contains("4, 8, 12, ... up to 2000"));
    assert!(text("birge-gana", 54).contains("1 to 53"));
}

#[test]
fn names_are_unique_and_kebab_case() {
    let mut names: Vec<_> = families().iter().map(|family| family.name).collect();
    let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    let plain = |name: &&str| name.bytes().all(is_plain);
    assert!(names.iter().all(plain));
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), families().len());
}
