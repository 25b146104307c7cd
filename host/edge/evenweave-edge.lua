-- SPDX-License-Identifier: Apache-2.0
--
-- What edges tell each other, for Wireshark and tshark (docs/reference/edge.md#captures): Geneve's
-- option behind UDP and behind what looks like TCP, and both forms of the hidden overlay. Its form
-- is in host/libedge/include/edge/option.h, bpf/overlay.h and bpf/hidden_form.h.

local edge = Proto("evenweave", "Evenweave edge")
local behind_tcp = Proto("evenweave_tcp", "Evenweave edge behind what looks like TCP")
local udp_ports, tcp_ports = DissectorTable.get("udp.port"), DissectorTable.get("tcp.port")
-- By the port that is Geneve's everywhere: not all versions know it by name.
local geneve, tcp = udp_ports:get_dissector(6081), Dissector.get("tcp")

local OPTION_CLASS, OPTION_BYTES, PROOF_BYTES, HIDDEN = 0xff65, 16, 8, 0xed9e
-- Written by tests/tables.py.
local SCHEMES = {
  [0] = "ecmp", "wcmp", "presto", "edge-flowlet", "clove-ecn", "clove-int", "clove-latency", "alb",
  "intflow",
}
local FORMS = { "Geneve", "in front of the guest's header", "in an option of TCP" }
local CONTROL = { [0] = "report", "probe", "answer" }
local REPORT, ANSWER = 0, 2
local INSTRUCTIONS = {
  [0] = "reroute when a flowlet begins", "reroute to another path", "reroute to any path",
  "do not reroute",
}
local DECIMAL = base.DEC

local field = {
  form = ProtoField.uint8("evenweave.form", "Form", DECIMAL, FORMS),
  scheme = ProtoField.uint8("evenweave.scheme", "Scheme", DECIMAL, SCHEMES),
  version = ProtoField.uint8("evenweave.version", "Version", DECIMAL, nil, 0xf0),
  feedback = ProtoField.bool("evenweave.feedback", "Feedback", 8, nil, 0x01),
  marked = ProtoField.bool("evenweave.marked", "Feedback path was marked", 8, nil, 0x02),
  rebase = ProtoField.bool("evenweave.rebase", "Measure the baseline anew", 8, nil, 0x04),
  numbered = ProtoField.bool("evenweave.numbered", "Put back in order", 8, nil, 0x08),
  control = ProtoField.uint8("evenweave.control", "Between edges", DECIMAL, CONTROL),
  instruction = ProtoField.uint8("evenweave.instruction", "Instruction", DECIMAL, INSTRUCTIONS, 0x03),
  resent = ProtoField.bool("evenweave.resent", "Was sent before", 8, nil, 0x04),
  echo_path = ProtoField.uint8("evenweave.echo_path", "Echo path", DECIMAL, nil, 0x7f),
  path = ProtoField.uint8("evenweave.path", "Path"),
  feedback_path = ProtoField.uint8("evenweave.feedback_path", "Feedback path"),
  packet = ProtoField.uint16("evenweave.packet", "Packet number"),
  flowlet = ProtoField.uint16("evenweave.flowlet", "Flowlet number"),
  sent_ns = ProtoField.uint32("evenweave.sent_ns", "Sent at (ns)"),
  utilisation = ProtoField.uint32("evenweave.utilisation", "Utilisation (1/65536)"),
  metric = ProtoField.uint32("evenweave.metric", "Metric of the feedback path"),
  probe = ProtoField.uint32("evenweave.probe", "Second number of the probe"),
  ttl = ProtoField.uint16("evenweave.ttl", "What was left of the probe's TTL"),
  probe_port = ProtoField.uint32("evenweave.probe_port", "Source port of the probe"),
  time = ProtoField.uint32("evenweave.time", "Time of the code (2^20 ns)"),
  code = ProtoField.uint32("evenweave.code", "Authentication code", base.HEX),
  ecn = ProtoField.uint8("evenweave.ecn", "ECN of the guest", DECIMAL, nil, 0x30),
  source = ProtoField.ipv4("evenweave.source", "Source of the guest"),
  destination = ProtoField.ipv4("evenweave.destination", "Destination of the guest"),
  source_port = ProtoField.uint16("evenweave.source_port", "Source port of the guest"),
  destination_port = ProtoField.uint16("evenweave.destination_port", "Destination port of the guest"),
}
edge.fields = field
edge.prefs.port = Pref.uint("Port", 6081, "The overlay's port, as in the edges' configuration")

local sequence, acknowledgment = Field.new("tcp.seq_raw"), Field.new("tcp.ack_raw")
local window, checksum = Field.new("tcp.window_size_value"), Field.new("tcp.checksum")
local urgent = Field.new("tcp.urgent_pointer")
local experiment = Field.new("tcp.options.experimental.exid")
local experimental = Field.new("tcp.options.experimental.data")

-- Of the header that called: those around it have the field too.
local function last(extract)
  local found = { extract() }
  return found[#found]
end

local function add_flags(tree, byte)
  for _, name in ipairs({ "version", "feedback", "marked", "rebase", "numbered" }) do
    tree:add(field[name], byte)
  end
  return byte:bitfield(7, 1) == 1
end

local function add_numbers_of_probe(tree, option, control)
  tree:add(field.packet, option(4, 2))
  tree:add(field.probe, option(8, 4))
  if control == ANSWER then
    tree:add(field.ttl, option(6, 2))
    tree:add(field.probe_port, option(12, 4))
  end
end

local function add_option(tree, option, scheme, is_control)
  local has_feedback = add_flags(tree, option(0, 1))
  local second = option(1, 1):uint()
  tree:add(field.path, option(2, 1))
  if is_control then
    tree:add(field.control, option(1, 1))
    if second ~= REPORT then
      add_numbers_of_probe(tree, option, second)
      return
    end
  elseif second >= 0x80 then
    tree:add(field.echo_path, option(1, 1))
  elseif SCHEMES[scheme] == "intflow" then
    tree:add(field.instruction, option(1, 1))
    tree:add(field.resent, option(1, 1))
  end
  tree:add(field.packet, option(4, 2))
  tree:add(field.flowlet, option(6, 2))
  tree:add(SCHEMES[scheme] == "clove-int" and field.utilisation or field.sent_ns, option(8, 4))
  if has_feedback then
    tree:add(field.feedback_path, option(3, 1))
    tree:add(field.metric, option(12, 4))
  end
end

local function show_geneve(data, packet, tree)
  local at, ends = 8, 8 + 4 * data(0, 1):bitfield(2, 6)
  while at + 4 <= ends and ends <= data:len() do
    local bytes = 4 * data(at + 3, 1):bitfield(3, 5)
    local proof = bytes - OPTION_BYTES
    local has_length = proof == 0 or proof == PROOF_BYTES
    if data(at, 2):uint() == OPTION_CLASS and has_length and at + 4 + bytes <= ends then
      local mine = tree:add(edge, data(at, 4 + bytes))
      mine:add(field.form, data(at, 2), 1)
      mine:add(field.scheme, data(at + 2, 1))
      add_option(mine, data(at + 4, OPTION_BYTES), data(at + 2, 1):uint(), data(1, 1):bitfield(0, 1) == 1)
      if proof > 0 then
        mine:add(field.time, data(at + 4 + OPTION_BYTES, 4))
        mine:add(field.code, data(at + 8 + OPTION_BYTES, 4))
      end
    end
    at = at + 4 + bytes
  end
  return geneve:call(data, packet, tree)
end

-- note: version and flags, ECN and scheme, path, feedback path; sent and metric as the rest.
local function add_note(tree, note, sent, metric)
  local has_feedback = add_flags(tree, note(0, 1))
  tree:add(field.ecn, note(1, 1))
  tree:add(field.scheme, note(1, 1), note(1, 1):bitfield(4, 4))
  tree:add(field.path, note(2, 1))
  tree:add(field.sent_ns, sent)
  if has_feedback then
    tree:add(field.feedback_path, note(3, 1))
    tree:add(field.metric, metric, 1024 * metric:uint())
  end
end

-- In the fields of what looks like a TCP header, and 8 bytes behind it.
local function show_in_front(data, packet, tree)
  local note = ByteArray.new()
  note:append(last(checksum).range:bytes())
  note:append(last(urgent).range:bytes())
  local mine = tree:add(edge, data(0, 8))
  mine:add(field.form, data(0, 8), 2)
  mine:add(field.source, data(0, 4))
  mine:add(field.destination, data(4, 4))
  add_note(mine, note:tvb("Note of the edge")(), last(acknowledgment).range, last(window).range)
  return 8 + tcp:call(data(8):tvb(), packet, tree)
end

local function show_in_option(tree, option)
  local mine = tree:add(edge, option)
  mine:add(field.form, option, 3)
  mine:add(field.source, option(0, 4))
  mine:add(field.destination, option(4, 4))
  mine:add(field.source_port, option(8, 2))
  mine:add(field.destination_port, option(10, 2))
  add_note(mine, option(12, 4), option(16, 4), option(20, 2))
end

function edge.dissector(data, packet, tree)
  return show_geneve(data, packet, tree)
end

function behind_tcp.dissector(data, packet, tree)
  local number = last(sequence).value
  if number % 0x10000 == HIDDEN and data:len() >= 8 then
    return show_in_front(data, packet, tree)
  end
  if number == data:reported_len() * 0x10000 and data:len() >= 8 then
    return show_geneve(data, packet, tree)
  end
  local found, what = last(experiment), last(experimental)
  if found and what and found.value == HIDDEN and what.len == 24 then
    show_in_option(tree, what.range)
  end
  return 0
end

local port
local function take_port()
  if port then
    udp_ports:remove(port, edge)
    tcp_ports:remove(port, behind_tcp)
  end
  port = edge.prefs.port
  udp_ports:add(port, edge)
  tcp_ports:add(port, behind_tcp)
end
edge.prefs_changed = take_port
take_port()
