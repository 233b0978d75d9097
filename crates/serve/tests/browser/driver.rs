//! ChromeDriver, and a browser for each test.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use libtest_mimic::Failed;
use serde_json::{Value, json};

/// Nothing on the page takes so long; what is waited for longer will not come.
const PATIENCE: Duration = Duration::from_secs(90);

/// Of this machine.
#[derive(Debug, Clone)]
pub struct Programs {
    browser: PathBuf,
    driver: PathBuf,
}

impl Programs {
    pub fn find() -> Option<Self> {
        let browsers = ["chromium", "chromium-browser", "google-chrome"];
        Some(Self {
            browser: browsers.into_iter().find_map(on_path)?,
            driver: on_path("chromedriver")?,
        })
    }
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let mut places = std::env::split_paths(&path).map(|folder| folder.join(name));
    places.find(|place| place.is_file())
}

/// A test that runs in a browser.
pub type Test = fn(&mut Tab) -> Result<(), Failed>;

pub struct Driver {
    child: Child,
    port: u16,
    programs: Programs,
    runtime: tokio::runtime::Runtime,
}

impl Driver {
    pub fn start(programs: &Programs) -> Result<Self, Failed> {
        let mut child = Command::new(&programs.driver)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let output = child.stdout.take().ok_or("no output")?;
        let mut lines = BufReader::new(output).lines();
        let port = loop {
            let line = lines.next().ok_or("chromedriver ended")??;
            if let Some((_, port)) = line.rsplit_once("successfully on port ") {
                break port.trim_end_matches('.').parse()?;
            }
        };
        // What it says later must not fill the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()?;
        Ok(Self {
            child,
            port,
            programs: programs.clone(),
            runtime,
        })
    }

    /// Runs a test in a browser of its own.
    pub fn run(&mut self, test: Test) -> Result<(), Failed> {
        let mut tab = Tab {
            port: self.port,
            client: None,
            handle: self.runtime.handle().clone(),
            browser: self.programs.browser.clone(),
        };
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| test(&mut tab)));
        tab.close();
        match outcome {
            Ok(outcome) => outcome,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A browser with one page.
pub struct Tab {
    port: u16,
    client: Option<Client>,
    handle: tokio::runtime::Handle,
    browser: PathBuf,
}

impl Tab {
    /// Opens the browser with a page of that size; a phone has a finger in place of a mouse.
    pub fn open(&mut self, url: &str, size: [u32; 2], phone: bool) -> Result<(), Failed> {
        self.start(size, phone)?;
        self.go(url)
    }

    /// Opens the browser.
    pub fn start(&mut self, [width, height]: [u32; 2], phone: bool) -> Result<(), Failed> {
        let mut options = json!({
            "binary": self.browser,
            // ChromeDriver gives every session a fresh profile.
            "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--disable-dev-shm-usage",
                // WebGL in software, where there is no card for graphics.
                "--enable-unsafe-swiftshader", format!("--window-size={width},{height}"),
            ],
        });
        if phone {
            let metrics =
                json!({"width": width, "height": height, "pixelRatio": 2.0, "touch": true});
            options["mobileEmulation"] = json!({"deviceMetrics": metrics});
        }
        let mut capabilities = serde_json::Map::new();
        capabilities.insert("goog:chromeOptions".to_owned(), options);
        capabilities.insert("goog:loggingPrefs".to_owned(), json!({"browser": "ALL"}));
        let url = format!("http://127.0.0.1:{}", self.port);
        let client = self.handle.block_on(async {
            ClientBuilder::new(HttpConnector::new())
                .capabilities(capabilities)
                .connect(&url)
                .await
        });
        self.client = Some(client?);
        Ok(())
    }

    pub fn go(&self, url: &str) -> Result<(), Failed> {
        Ok(self.wait(self.client()?.goto(url))?)
    }

    pub fn client(&self) -> Result<&Client, Failed> {
        Ok(self.client.as_ref().ok_or("the browser is not open")?)
    }

    pub fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.handle.block_on(future)
    }

    /// The value of an expression of the page.
    pub fn value(&self, expression: &str) -> Result<Value, Failed> {
        let script = format!("return ({expression});");
        Ok(self.wait(self.client()?.execute(&script, Vec::new()))?)
    }

    pub fn number(&self, expression: &str) -> Result<f64, Failed> {
        let value = self.value(expression)?;
        Ok(value
            .as_f64()
            .ok_or_else(|| format!("{expression} is {value}"))?)
    }

    /// Waits until an expression holds.
    pub fn until(&self, expression: &str) -> Result<(), Failed> {
        let begun = Instant::now();
        while self.value(&format!("Boolean({expression})"))? != json!(true) {
            if begun.elapsed() > PATIENCE {
                let text = self.value("document.body.innerText")?;
                return Err(
                    format!("never: {expression}\n{}", text.as_str().unwrap_or_default()).into(),
                );
            }
            std::thread::sleep(Duration::from_millis(40));
        }
        Ok(())
    }

    pub fn click(&self, selector: &str) -> Result<(), Failed> {
        let client = self.client()?;
        let element = self.wait(client.find(Locator::Css(selector)))?;
        Ok(self.wait(element.click())?)
    }

    /// A command that WebDriver does not know, but ChromeDriver does.
    pub fn chrome(&self, command: &str, body: &Value) -> Result<Value, Failed> {
        let session = self.wait(self.client()?.session_id())?.unwrap_or_default();
        let body = body.to_string();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        write!(
            stream,
            "POST /session/{session}/{command} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )?;
        // ChromeDriver keeps the connection open: the answer ends where its length says.
        let mut reader = BufReader::new(stream);
        let (mut line, mut length) = (String::new(), 0);
        while reader.read_line(&mut line)? > 2 {
            if let Some(text) = line.to_lowercase().strip_prefix("content-length:") {
                length = text.trim().parse()?;
            }
            line.clear();
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        Ok(serde_json::from_slice::<Value>(&body)?["value"].clone())
    }

    /// The errors in the browser's console.
    pub fn complaints(&self) -> Result<Vec<Value>, Failed> {
        let log = self.chrome("se/log", &json!({"type": "browser"}))?;
        let entries = log.as_array().ok_or_else(|| format!("no log: {log}"))?;
        let bad = |entry: &&Value| entry["level"] == "SEVERE" || entry["level"] == "WARNING";
        Ok(entries.iter().filter(bad).cloned().collect())
    }

    fn close(&mut self) {
        if let Some(client) = self.client.take() {
            let _ = self.wait(client.close());
        }
    }
}
