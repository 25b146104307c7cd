package org.evenweave.sdd.session;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.evenweave.sdd.protocol.ProtocolException;

/**
 * An edge's last report about each peer, kept as text within a limit on the total size: a parsed
 * tree would be twenty times as large. Thread-safe.
 */
final class EdgeReports {
  /** Reports have six levels; a client must not exhaust the stack of who prints them. */
  private static final int MAX_DEPTH = 12;

  private static final JsonFactory JSON = new JsonFactory();
  private static final String PATH = "edgeReport.document";
  private static final String PEERS = "peers";
  private static final String ATTACHED = "attached";

  private final long mostBytes;
  private final SortedMap<Integer, byte[]> documents = new TreeMap<>();

  /** Places of peers by whose reports the edge is not on its device. */
  private final SortedMap<Integer, Boolean> detached = new TreeMap<>();

  private long bytes;
  private long leftOut;

  /**
   * @param mostBytes of all reports that are kept
   */
  EdgeReports(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /**
   * Takes the place of the peer's report before; too many bytes of all peers leave it out.
   *
   * @param peer its place
   * @param peers how many there are; reports of others are dropped
   * @return whether it is kept
   * @throws ProtocolException if it is no report of one peer
   */
  synchronized boolean add(int peer, int peers, String document) throws ProtocolException {
    boolean isAttached = attached(document);
    documents.tailMap(peers).values().forEach(gone -> bytes -= gone.length);
    documents.tailMap(peers).clear();
    detached.tailMap(peers).clear();
    byte[] before = documents.remove(peer);
    bytes -= before == null ? 0 : before.length;
    detached.remove(peer);
    if (!isAttached) {
      detached.put(peer, true);
    }
    byte[] text = document.getBytes(StandardCharsets.UTF_8);
    if (bytes + text.length > mostBytes) {
      leftOut++;
      return false;
    }
    bytes += text.length;
    documents.put(peer, text);
    return true;
  }

  /** Reads all of it, keeps nothing; what the field {@code attached} says, or true. */
  private static boolean attached(String document) throws ProtocolException {
    boolean isAttached = true;
    int objects = 0;
    int peers = 0;
    int depth = 0;
    boolean inPeers = false;
    try (JsonParser json = JSON.createParser(document)) {
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        if (token.isStructEnd()) {
          depth--;
          inPeers &= depth >= 2;
        } else if (inPeers && depth == 2) {
          peers++;
        }
        if (depth == 1 && token == JsonToken.START_ARRAY && PEERS.equals(json.currentName())) {
          inPeers = true;
        }
        if (depth == 1 && token == JsonToken.VALUE_FALSE && ATTACHED.equals(json.currentName())) {
          isAttached = false;
        }
        if (depth == 0 && token != JsonToken.END_OBJECT) {
          objects += token == JsonToken.START_OBJECT ? 1 : 2;
        }
        if (objects > 1) {
          throw new ProtocolException(PATH, "is not one object");
        }
        depth += token.isStructStart() ? 1 : 0;
        if (depth > MAX_DEPTH) {
          throw new ProtocolException(PATH, "is nested too deeply");
        }
      }
    } catch (IOException e) {
      throw new ProtocolException(PATH, "is not JSON");
    }
    if (peers != 1) {
      throw new ProtocolException(PATH, "must have one peer, not " + peers);
    }
    return isAttached;
  }

  /** Whether a report says that the edge is not on its device. */
  synchronized boolean isDetached() {
    return !detached.isEmpty();
  }

  /** How many peers' reports are kept. */
  synchronized int count() {
    return documents.size();
  }

  /** How many reports there was no room for. */
  synchronized long leftOut() {
    return leftOut;
  }

  /** The bytes that are held. */
  synchronized long bytes() {
    return bytes;
  }

  /** In the order of peers. */
  synchronized List<String> documents() {
    List<String> texts = new ArrayList<>(documents.size());
    documents.values().forEach(text -> texts.add(new String(text, StandardCharsets.UTF_8)));
    return texts;
  }
}
