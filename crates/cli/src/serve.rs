//! `etalon serve`: the interactive page.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use clap::Args;
use etalon_golden::files;
use etalon_serve::{Library, Server, ServerSettings, Signals};
use serde_json::json;

use super::console::Console;
use super::goldens::usual;
use super::{Ending, Fatal, Result};

/// Serve the interactive page: pull rigid bodies while every contact problem is judged exactly,
/// and play golden trajectories.
///
/// The mouse pulls one to six bodies, and thrusters drive them. The page shows contact forces, energies
/// and the LCP of each frame, with its index sets, exact verdict and error. Bodies in space are drawn
/// with the verdict of each step. The page works without a network. It is for this machine: requests that name another host, or come
/// from another origin, are refused, and no text from the page becomes a file name.
#[derive(Args)]
#[command(after_help = "\
Example: etalon serve
         etalon serve --port 0 --golden my-trajectories
         etalon serve --host 0.0.0.0 --allow-host lab.example   # for others, too: see docs/serve.md")]
pub struct Serve {
    /// The port to listen on; 0 takes any free port
    #[arg(long, default_value_t = 7878)]
    port: u16,

    /// The address to listen on; 0.0.0.0 or :: for all machines that can reach this one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,

    /// A further name of this machine that browsers may use, with or without a port
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,

    /// The folder of the trajectories to play: its own *.jsonl, or those of its folder trajectories
    /// [default: golden/, else those inside etalon]
    #[arg(long, value_name = "DIR")]
    golden: Option<PathBuf>,
}

impl Serve {
    /// Runs the command, until Ctrl-C or SIGTERM.
    pub fn run(&self, console: &Console) -> Result<Ending> {
        let usage = |error: &dyn std::fmt::Display| Fatal::Usage(error.to_string());
        let mut signals = Signals::watch().map_err(|error| usage(&error))?;
        let server = Server::start(ServerSettings {
            address: SocketAddr::new(self.host, self.port),
            hosts: self.allow_host.clone(),
            library: self.library(console)?,
            ..ServerSettings::default()
        });
        let server = server.map_err(|error| usage(&error))?;
        if !self.host.is_loopback() {
            console.warning("everybody who can reach this machine can use the page, unencrypted");
        }
        console.line(if console.json {
            json!({"url": server.url(), "address": server.address().to_string()}).to_string()
        } else {
            server.url()
        })?;
        console.note("Open this address in a browser. Ctrl-C ends it.");
        signals.wait();
        server.stop();
        Ok(Ending::Accepted)
    }

    fn library(&self, console: &Console) -> Result<Library> {
        let usage = |error: &dyn std::fmt::Display| Fatal::Usage(error.to_string());
        let (library, left_out) = match &self.golden {
            Some(folder) => Library::read(folder).map_err(|error| usage(&error))?,
            None => Library::of(usual_trajectories(console).map_err(|error| usage(&error))?),
        };
        for error in left_out {
            console.warning(error);
        }
        Ok(library)
    }
}

/// The golden trajectories, each its name and its text.
fn usual_trajectories(console: &Console) -> io::Result<Vec<(String, String)>> {
    let folder = usual(console).join("trajectories");
    let found = files::all_files(&[folder]).map_err(io::Error::other)?;
    let streams = found
        .iter()
        .filter(|file| file.extension().is_some_and(|e| e == "jsonl"));
    let texts = streams.map(|file| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        Ok((name.into_owned(), files::text(file)?))
    });
    texts.collect()
}
