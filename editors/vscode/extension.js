// Starts `larspark lsp` for .lars files; everything else is in the server.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const command = workspace.getConfiguration("larspark").get("command");
  client = new LanguageClient(
    "larspark",
    "larspark",
    { command, args: ["lsp"] },
    { documentSelector: [{ language: "lars" }] },
  );
  return client.start();
};

exports.deactivate = () => client && client.stop();
