import com.sun.management.OperatingSystemMXBean;
import io.siddhi.core.SiddhiAppRuntime;
import io.siddhi.core.SiddhiManager;
import io.siddhi.core.event.Event;
import io.siddhi.core.stream.input.InputHandler;
import io.siddhi.core.stream.output.StreamCallback;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.regex.Pattern;

/**
 * A query of Siddhi over the CSV files of a folder, one thread, by event time: a Java compiles and runs this file.
 *
 * `java -cp JARS RunSiddhi.java FOLDER WARM QUERY.siddhi` prints the CPU seconds of this Java as JSON, after runs over
 * the folder WARM; what comes into the stream `answer` is counted and dropped.
 */
public class RunSiddhi {
    private static final int PASSES = 2;
    private static final long LATER = 20_000;

    private static final String STREAMS = """
        @app:playback
        define stream person (n long, id long, name string, email string, card string, city string, state string,
                              extra string, ts long);
        define stream auction (n long, id long, item string, description string, initial long, reserve long,
                               expires long, seller long, category long, extra string, ts long);
        define stream bid (n long, auction long, bidder long, price long, channel string, url string, extra string,
                           ts long);
        define stream side (key long, value long);
        define stream clock (ts long);
        """;

    /** Which columns are numbers; the last one is the time. */
    private enum Kind {
        person("nnssssssn"), auction("nnssnnnnnsn"), bid("nnnnsssn");

        final String types;

        Kind(String types) {
            this.types = types;
        }
    }

    /** A file that is read line by line; the number of the event comes first. */
    private static final class Source {
        final InputHandler handler;
        final String types;
        final BufferedReader reader;
        Object[] row;

        Source(InputHandler handler, String types, Path place) throws IOException {
            this.handler = handler;
            this.types = types;
            this.reader = Files.newBufferedReader(place);
            next();
        }

        long number() {
            return (Long) row[0];
        }

        void next() throws IOException {
            String line = reader.readLine();
            if (line == null) {
                row = null;
                reader.close();
                return;
            }
            row = new Object[types.length()];
            int from = 0;
            for (int place = 0; place < row.length; place++) {
                int comma = line.indexOf(',', from);
                int to = comma < 0 ? line.length() : comma;
                row[place] = types.charAt(place) == 'n' ? (Object) Long.parseLong(line, from, to, 10)
                        : line.substring(from, to);
                from = to + 1;
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        Path warm = Path.of(arguments[1]);
        String query = Files.readString(Path.of(arguments[2]));
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long compared = 0;
        for (int pass = 0; pass < PASSES; pass++) {
            compared = run(query, warm);
        }
        long before = system.getProcessCpuTime();
        long began = System.nanoTime();
        long rows = run(query, folder);
        double cpu = (system.getProcessCpuTime() - before) / 1e9;
        System.out.printf("{\"cpu\": %.3f, \"wall\": %.3f, \"resident\": %d, \"rows\": %d, \"compared\": %d}%n", cpu,
                (System.nanoTime() - began) / 1e9, peak(), rows, compared);
        System.exit(0);
    }

    private static long run(String query, Path folder) throws Exception {
        SiddhiManager manager = new SiddhiManager();
        SiddhiAppRuntime runtime = manager.createSiddhiAppRuntime(STREAMS + query);
        long[] counted = new long[1];
        runtime.addCallback("answer", new StreamCallback() {
            @Override
            public void receive(Event[] events) {
                counted[0] += events.length;
            }
        });
        runtime.start();
        List<Source> sources = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            if (Pattern.compile("\\b" + kind + "\\b").matcher(query).find()) {
                sources.add(new Source(runtime.getInputHandler(kind.name()), kind.types, folder.resolve(kind + ".csv")));
            }
        }
        if (Pattern.compile("\\bside\\b").matcher(query).find()) {
            fill(runtime.getInputHandler("side"), folder.resolve("side.csv"));
        }
        long time = feed(sources) + LATER;
        runtime.getInputHandler("clock").send(time, new Object[] {time});
        manager.shutdown();
        return counted[0];
    }

    /** The side table, before any event. */
    private static void fill(InputHandler side, Path place) throws Exception {
        for (String line : Files.readAllLines(place)) {
            String[] cells = line.split(",");
            side.send(0, new Object[] {Long.parseLong(cells[0]), Long.parseLong(cells[1])});
        }
    }

    /** All events in their order; the time of the last one. */
    private static long feed(List<Source> sources) throws Exception {
        PriorityQueue<Source> waiting = new PriorityQueue<>(Comparator.comparingLong(Source::number));
        waiting.addAll(sources);
        long time = 0;
        while (!waiting.isEmpty()) {
            Source source = waiting.poll();
            time = (Long) source.row[source.row.length - 1];
            source.handler.send(time, source.row);
            source.next();
            if (source.row != null) {
                waiting.add(source);
            }
        }
        return time;
    }

    private static long peak() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmHWM:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
            }
        }
        return 0;
    }
}
