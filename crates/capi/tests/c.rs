//! Programs in C and C++, compiled against the header and both libraries, and run: first the library
//! is installed as a user would do it. What the machine has no compiler or library for is listed as
//! ignored, with what is missing.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

const C_FLAGS: [&str; 5] = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"];
const CPP_FLAGS: [&str; 5] = ["-std=c++11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// What a static library of Rust needs of the system.
const SYSTEM_LIBRARIES: [&str; 3] = ["-lpthread", "-ldl", "-lm"];

type Ended = Result<(), Failed>;

fn main() {
    let arguments = Arguments::from_args();
    if arguments.list {
        libtest_mimic::run(&arguments, trials(&PathBuf::new())).exit();
    }
    let prefix = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c-abi");
    install(&prefix).unwrap_or_else(|error| {
        eprintln!(
            "the library cannot be installed: {}",
            error.message().unwrap_or("?")
        );
        std::process::exit(1);
    });
    libtest_mimic::run(&arguments, trials(&prefix)).exit();
}

fn trials(prefix: &Path) -> Vec<Trial> {
    let c = |name: &'static str, source: &'static str, link| {
        let program = Program::of(prefix, source, link);
        Trial::test(name, move || program.keeps_its_promises()).with_ignored_flag(!has("cc"))
    };
    let cpp = |name: &'static str, source: &'static str, link| {
        let program = Program::of(prefix, source, link);
        Trial::test(name, move || program.keeps_its_promises()).with_ignored_flag(!has("c++"))
    };
    let judge = |name: &'static str, library: Library| {
        let missing = !has("c++") || !library.is_installed();
        let prefix = prefix.to_owned();
        Trial::test(name, move || judges(&prefix, &library)).with_ignored_flag(missing)
    };
    let claims = Program::of(prefix, "tests/c/judgements.c", Link::Shared);
    let (for_documents, for_config) = (prefix.to_owned(), prefix.to_owned());
    let for_cmake = prefix.to_owned();
    vec![
        c("c_shared", "tests/c/check.c", Link::Shared),
        c("c_static", "tests/c/check.c", Link::Static),
        c("c_threads", "tests/c/threads.c", Link::Shared),
        Trial::test("c_says_what_every_door_says", move || judgements(&claims))
            .with_ignored_flag(!has("cc")),
        cpp(
            "cpp_shared_needs_cpp_compiler",
            "tests/c/judge.cpp",
            Link::Shared,
        ),
        cpp(
            "cpp_static_needs_cpp_compiler",
            "tests/c/judge.cpp",
            Link::Static,
        ),
        judge("judge_dart_needs_libdart_external_odelcpsolver_dev", DART),
        judge("judge_bullet_needs_libbullet_dev", BULLET),
        Trial::test("programs_in_the_documents", move || {
            documents(&for_documents)
        })
        .with_ignored_flag(!has("cc")),
        Trial::test("pkg_config_needs_pkg_config", move || {
            pkg_config(&for_config)
        })
        .with_ignored_flag(!has("cc") || !has("pkg-config")),
        Trial::test("find_package_needs_cmake", move || cmake(&for_cmake))
            .with_ignored_flag(!has("cc") || !has("cmake")),
    ]
}

/// Installs what cargo has built beside this test.
fn install(prefix: &Path) -> Ended {
    let test = std::env::current_exe()?;
    let built = test.parent().ok_or("no folder of the test")?;
    let output = Command::new("sh")
        .arg(root().join("install.sh"))
        .args(["--prefix".as_ref(), prefix.as_os_str()])
        .args(["--from".as_ref(), built.as_os_str()])
        .output()?;
    must(&output, "install.sh")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn has(tool: &str) -> bool {
    let asked = Command::new(tool).arg("--version").output();
    asked.is_ok_and(|output| output.status.success())
}

fn must(output: &Output, what: &str) -> Ended {
    if output.status.success() {
        return Ok(());
    }
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    Err(format!("{what}: {}\n{out}{err}", output.status).into())
}

#[derive(Clone, Copy)]
enum Link {
    Shared,
    Static,
}

/// A program with what it takes to compile it.
struct Program {
    prefix: PathBuf,
    source: PathBuf,
    link: Link,
    flags: Vec<OsString>,
}

impl Program {
    fn of(prefix: &Path, source: &str, link: Link) -> Self {
        Self {
            prefix: prefix.to_owned(),
            source: root().join(source),
            link,
            flags: Vec::new(),
        }
    }

    /// Compiles and runs it.
    fn run(&self, arguments: &[&Path]) -> Result<Output, Failed> {
        let cpp = self
            .source
            .extension()
            .is_some_and(|extension| extension == "cpp");
        let stem = self
            .source
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy();
        let linked = match self.link {
            Link::Shared => "shared",
            Link::Static => "static",
        };
        let program = self.prefix.join(format!("{stem}-{linked}"));
        let (lib, include) = (self.prefix.join("lib"), self.prefix.join("include"));
        let mut compiler = Command::new(if cpp { "c++" } else { "cc" });
        compiler.args(if cpp { CPP_FLAGS } else { C_FLAGS });
        compiler.arg("-I").arg(include);
        compiler.arg(&self.source).arg("-o").arg(&program);
        match self.link {
            Link::Shared => {
                let mut rpath = OsString::from("-Wl,-rpath,");
                rpath.push(&lib);
                compiler
                    .arg("-L")
                    .arg(&lib)
                    .arg("-letalon")
                    .arg(rpath)
                    .arg("-pthread");
            }
            Link::Static => {
                compiler.arg(lib.join("libetalon.a")).args(SYSTEM_LIBRARIES);
            }
        }
        must(&compiler.args(&self.flags).output()?, "the compiler")?;
        Ok(Command::new(program).args(arguments).output()?)
    }

    fn keeps_its_promises(&self) -> Ended {
        let output = self.run(&[])?;
        must(&output, "the program")?;
        let said = String::from_utf8_lossy(&output.stdout);
        if said.trim() == "all as promised" {
            return Ok(());
        }
        Err(format!("the program ended well, but said {said:?}").into())
    }
}

/// The claims that all doors are asked, with what is said of them: `tests/judgements.jsonl`.
fn judgements(program: &Program) -> Ended {
    let stored = fs::read_to_string(root().join("../../tests/judgements.jsonl"))?;
    let stored: Vec<Value> = stored
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?;
    let (problems, claims) = (
        program.prefix.join("problems.jsonl"),
        program.prefix.join("claims.jsonl"),
    );
    for (file, field) in [(&problems, "problem"), (&claims, "claim")] {
        let lines = stored.iter().filter_map(|line| line[field].as_str());
        fs::write(
            file,
            lines.map(|line| format!("{line}\n")).collect::<String>(),
        )?;
    }
    let output = program.run(&[&problems, &claims])?;
    must(&output, "the program")?;
    let said = String::from_utf8_lossy(&output.stdout);
    if said.lines().count() != stored.len() {
        return Err(format!("{} of {} claims", said.lines().count(), stored.len()).into());
    }
    for (said, stored) in said.lines().zip(&stored) {
        let mut parts = said.splitn(3, ' ');
        let mut flag = || parts.next() == Some("1");
        let (accepted, false_expect) = (flag(), flag());
        let verdict: Value = serde_json::from_str(parts.next().unwrap_or_default())?;
        let same = verdict == stored["verdict"]
            && stored["accepted"] == accepted
            && stored["false_expect"] == false_expect;
        if !same {
            return Err(format!("C says {said}\nand the file says {stored}").into());
        }
    }
    Ok(())
}

/// Somebody's library with a solver.
struct Library {
    example: &'static str,
    /// Its header and its library, which tell whether it is there.
    header: &'static str,
    library: &'static str,
    flags: &'static [&'static str],
}

const DART: Library = Library {
    example: "examples/judge_dart.cpp",
    header: "dart/external/odelcpsolver/lcp.h",
    library: "libdart-external-odelcpsolver.so",
    flags: &["-ldart-external-odelcpsolver"],
};

const BULLET: Library = Library {
    example: "examples/judge_bullet.cpp",
    header: "BulletDynamics/MLCPSolvers/btDantzigLCP.h",
    library: "libBulletDynamics-float64.so",
    flags: &[
        "-isystem",
        "/usr/include/bullet",
        "-DBT_USE_DOUBLE_PRECISION",
        "-lBulletDynamics-float64",
        "-lLinearMath-float64",
    ],
};

impl Library {
    fn is_installed(&self) -> bool {
        let folders = ["/usr/include", "/usr/include/bullet"];
        let header = folders
            .iter()
            .any(|folder| Path::new(folder).join(self.header).is_file());
        // The compiler prints the whole path of a library that it finds, and the bare name of another.
        let asked = Command::new("c++")
            .arg(format!("-print-file-name={}", self.library))
            .output();
        let found = asked.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
        header && found.is_ok_and(|found| Path::new(&found).is_file())
    }
}

/// The example runs, and what it shows of the solver's answer is a verdict on it. Which one depends on the
/// library's version, but not freely: (0, 0) is wrong, and (0, 3/4) is right.
fn judges(prefix: &Path, library: &Library) -> Ended {
    let mut program = Program::of(prefix, library.example, Link::Shared);
    program.flags = library.flags.iter().map(OsString::from).collect();
    let output = program.run(&[])?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let wrong = said.contains("x = (0, 0)");
    let right = said.contains("x = (0, 0.75)");
    let judged = if wrong {
        said.contains("Etalon says rejected: row 1: w = -3/4")
            && said.contains("right is x[1] = 3/4")
            && output.status.code() == Some(1)
    } else if right {
        said.contains("Etalon says exact") && output.status.success()
    } else {
        said.contains("Etalon says ")
    };
    if judged {
        return Ok(());
    }
    must(&output, "the program")?;
    Err(format!("a verdict that does not fit: {said}").into())
}

/// The programs that README.md and the pages of docs show, in C and, where there is a compiler, in C++.
fn documents(prefix: &Path) -> Ended {
    let mut pages = vec![root().join("../../README.md")];
    for entry in fs::read_dir(root().join("../../docs"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    let mut programs = 0;
    for page in pages {
        let text = fs::read_to_string(&page)?;
        for language in ["c", "cpp"] {
            if language == "cpp" && !has("c++") {
                continue;
            }
            let parts: Vec<&str> = text.split(&format!("\n```{language}\n")).collect();
            for part in parts.windows(2) {
                let (before, block) = (part[0], part[1]);
                // The steps of tutorials are no programs of the library; the documents' test of the command line runs them.
                if before
                    .lines()
                    .last()
                    .is_some_and(|line| line.starts_with("<!-- tutorial"))
                {
                    continue;
                }
                let code = block.split("\n```").next().unwrap_or_default();
                if !code.contains("int main(") {
                    return Err(format!("{}: no whole program", page.display()).into());
                }
                programs += 1;
                let source = prefix.join(format!("documents-{programs}.{language}"));
                fs::write(&source, format!("{code}\n"))?;
                let mut program = Program::of(prefix, "", Link::Shared);
                program.source = source;
                must(&program.run(&[])?, &page.display().to_string())?;
            }
        }
    }
    if programs < 2 {
        return Err("the documents show no program".into());
    }
    Ok(())
}

/// The commands of docs/c.md: pkg-config finds what was installed.
fn pkg_config(prefix: &Path) -> Ended {
    let asked = Command::new("pkg-config")
        .args(["--cflags", "--libs", "etalon"])
        .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"))
        .output()?;
    must(&asked, "pkg-config")?;
    let flags = String::from_utf8_lossy(&asked.stdout).into_owned();
    let program = prefix.join("by-pkg-config");
    let compiled = Command::new("cc")
        .arg(root().join("tests/c/check.c"))
        .arg("-o")
        .arg(&program)
        .args(flags.split_whitespace())
        .output()?;
    must(&compiled, "the compiler")?;
    let run = Command::new(program)
        .env("LD_LIBRARY_PATH", prefix.join("lib"))
        .output()?;
    must(&run, "the program")
}

/// CMake's `find_package` finds what was installed, after it was moved, too: a program is built against each target
/// and runs. A version that is not there is refused.
fn cmake(prefix: &Path) -> Ended {
    let moved = prefix.join("moved");
    must(
        &Command::new("sh")
            .arg("-c")
            .arg("rm -rf moved cmake-built && mkdir moved && cp -a include lib moved")
            .current_dir(prefix)
            .output()?,
        "the copy",
    )?;
    let configure = |wanted: &str| {
        Command::new("cmake")
            .arg("-S")
            .arg(root().join("tests/cmake"))
            .arg("-B")
            .arg(prefix.join("cmake-built"))
            .arg(format!("-DCMAKE_PREFIX_PATH={}", moved.display()))
            .arg(format!("-DWANTED={wanted}"))
            .output()
    };
    let own = env!("CARGO_PKG_VERSION");
    must(&configure(own)?, "cmake")?;
    let built = Command::new("cmake")
        .arg("--build")
        .arg(prefix.join("cmake-built"))
        .output()?;
    must(&built, "cmake --build")?;
    for program in ["check-shared", "check-static"] {
        let program = prefix.join("cmake-built").join(program);
        must(&Command::new(program).output()?, "the program")?;
    }
    for wanted in ["99.0", "0.0"] {
        let refused = configure(wanted)?;
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        // The message names the version that is there.
        if refused.status.success() || !said.contains(own) {
            return Err(format!("version {wanted} is wanted and {own} is there: {said}").into());
        }
    }
    Ok(())
}
